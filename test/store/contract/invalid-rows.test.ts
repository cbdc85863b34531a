import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import * as access from '../../../src/store/sql/tables/access.ts';
import * as erpTables from '../../../src/store/sql/tables/erp.ts';
import * as marketplaceTables from '../../../src/store/sql/tables/marketplace.ts';
import * as noticeTables from '../../../src/store/sql/tables/notices.ts';
import * as reading from '../../../src/store/sql/tables/reading.ts';
import * as records from '../../../src/store/sql/tables/record.ts';
import * as work from '../../../src/store/sql/tables/work.ts';
import type { Store } from '../../../src/store/store.ts';
import { at, d, erpOrder, erpProduct, order, orderBatch, product, productBatch, stockRow, useShelf } from '../shelf.ts';

/*
 * I19. The declared tables say what a row has to be. For each rule of each table, a row that breaks it is stored beside good rows.
 * A table or a rule that is added is tested as well, or named here with the reason why no row of a side can break it.
 */

const shelf = useShelf();

type Row = Readonly<Record<string, unknown>>;

/** A list of a side: how its rows are stored, and where they show afterwards. */
interface List {
  /** A good row. Each number makes another one. */
  readonly row: (number: number) => object;
  readonly record: (store: Store, rows: readonly never[]) => Promise<unknown>;
  readonly isStored: (store: Store, number: number) => Promise<boolean>;
  /** The place of a column in the row, where it has another name there or none. */
  readonly places?: Readonly<Record<string, string>>;
  /** The columns that are made here, whatever a side sends. */
  readonly ours?: readonly string[];
}

const look = { lane: 'poll' } as const;
const OURS = ['account', 'seenAtMs', 'changedTick', 'observedTick', 'releasedTick', 'tick', 'askedAtMs'];

const ORDERS: List = {
  row: (number) => order({ number: `o-${number}`, modified: at(number) }),
  record: (store, rows) => store.orders.record(orderBatch(rows)),
  isStored: async (store, number) => (await store.orders.get('main', `o-${number}`)) !== null,
  places: {
    customerId: 'customer.id',
    customerName: 'customer.name',
    lineId: 'lines.0.id',
    priceAmount: 'lines.0.orderedUnitPrice.amount',
    currency: 'lines.0.orderedUnitPrice.currency',
    salesAmount: 'lines.0.salesPrice',
    salesCurrency: 'lines.0.salesPrice',
  },
  ours: ['hasLines', 'linesStatus', 'hash', 'raw', 'late', 'firstModified', 'firstStatus', 'history'],
};

const LISTS: Readonly<Record<string, List>> = {
  orders: ORDERS,
  order_lines: ORDERS,
  products: {
    row: (number) => product({ id: number, sku: `SB-${number}`, externalId: null }),
    record: (store, rows) => store.products.record(productBatch(rows)),
    isStored: async (store, number) => (await store.products.get('main', number)) !== null,
    places: { priceAmount: 'price.amount' },
    ours: ['certain', 'unexplained', 'unseen', 'raw'],
  },
  payments: {
    row: (number) => ({
      id: `${number}`,
      orderNumber: 'o-1',
      total: d('5'),
      currency: 'USD',
      type: 'wire',
      paidAt: null,
      createdAt: at(0),
    }),
    record: (store, rows) => store.payments.record({ account: 'main', rows, invalidRows: [], ...look }),
    isStored: async (store, number) => (await store.payments.get('main', `${number}`)) !== null,
  },
  customers: {
    row: (number) => ({
      customer: {
        id: number,
        name: 'Corner Shop',
        externalId: null,
        licenses: [],
        emails: [],
        archived: false,
        modified: at(0),
      },
      content: '{}',
    }),
    record: (store, rows) => store.customers.record({ account: 'main', rows, invalidRows: [], window: null, ...look }),
    isStored: async (store, number) => (await store.customers.get('main', number)) !== null,
    places: { licenseKey: 'customer.licenses', emailKey: 'customer.emails' },
  },
  names: {
    row: (number) => ({ id: number, name: `Flower ${number}`, parentId: null }),
    record: (store, rows) => store.names.replace('main', 'category', rows),
    isStored: async (store, number) =>
      (await store.names.list('main', 'category', 100)).some(({ id }) => id === number),
    places: { nameKey: 'name' },
    ours: ['kind'],
  },
  assignments: {
    row: (number) => ({ listingId: number, content: '[]' }),
    record: (store, rows) => store.assignments.record({ account: 'main', rows, absent: null, tick: 1, ...look }),
    isStored: async (store, number) => (await store.assignments.get('main', number)) !== null,
  },
  measurements: {
    row: (number) => ({
      listingId: number,
      facilityId: 1,
      batchId: 1,
      onHand: d('5'),
      reserved: d('0'),
      available: d('5'),
    }),
    record: (store, rows) =>
      store.measurements.record({
        account: 'main',
        rows,
        asked: [1, 2, 3],
        unread: new Set(),
        tick: 1,
        askedAtMs: 1,
        absenceCounts: false,
        ...look,
      }),
    isStored: async (store, number) => (await store.measurements.get('main', number)) !== null,
    places: { rows: 'onHand' },
  },
  batches: {
    row: (number) => ({ id: number, matchKey: `LOT-${number}`, content: '{}' }),
    record: (store, rows) => store.batches.record('main', rows, 'poll'),
    isStored: async (store, number) => (await store.batches.get('main', number)) !== null,
  },
  transport_orders: {
    row: (number) => ({
      id: `T-${number}`,
      orderKey: `o-${number}`,
      status: 'planned',
      shippedAt: null,
      deliveredAt: null,
      expectedAt: null,
      requestedOn: null,
      tracking: null,
    }),
    record: (store, rows) => store.transports.record('main', rows, 'poll'),
    isStored: async (store, number) => (await store.transports.orderKeys('main', '', 10_000)).includes(`o-${number}`),
  },
  erp_products: {
    row: (number) => erpProduct({ id: `P-${number}`, sku: `SB-${number}` }),
    record: (store, rows) => store.erp.recordProducts('main', rows, { listing: 1, ...look }),
    isStored: async (store, number) => (await store.erp.product('main', `P-${number}`)) !== null,
    places: { priceAmount: 'price.amount', attributes: 'attributesText' },
    ours: ['absences', 'listing'],
  },
  erp_stock: {
    row: (number) => stockRow({ productId: `P-${number}`, location: '', batch: '' }),
    record: (store, rows) => store.erp.recordStock('main', rows, 'poll'),
    isStored: async (store, number) => (await store.erp.stock('main', `P-${number}`)) !== null,
  },
  erp_lots: {
    row: (number) => ({
      id: `L-${number}`,
      productId: 'P-1',
      batch: `LOT-${number}`,
      attributesText: '{}',
      changedAt: at(0),
    }),
    record: (store, rows) => store.erp.recordLots('main', rows, 'poll'),
    isStored: async (store, number) => (await store.erp.lot('main', `L-${number}`)) !== null,
    places: { attributes: 'attributesText' },
  },
  erp_orders: {
    row: (number) => erpOrder({ id: `E-${number}`, reference: `o-${number}` }),
    record: (store, rows) => store.erp.recordOrders('main', rows, 'poll'),
    isStored: async (store, number) => (await store.erp.order('main', `E-${number}`)) !== null,
    places: { content: 'note', countedSince: 'countedAsOf' },
  },
  erp_payments: {
    row: (number) => ({
      id: `R-${number}`,
      reference: `o-${number}`,
      amount: d('5'),
      currency: 'USD',
      method: null,
      receivedAt: null,
      marketplaceId: null,
      voided: false,
      changedAt: at(0),
    }),
    record: (store, rows) => store.erp.recordPayments('main', rows, 'poll'),
    isStored: async (store, number) => (await store.erp.payment('main', `R-${number}`)) !== null,
  },
  erp_customers: {
    row: (number) => ({
      id: `C-${number}`,
      name: 'Corner Shop',
      marketplaceId: null,
      emails: [],
      licenses: [],
      changedAt: at(0),
    }),
    record: (store, rows) => store.erp.recordCustomers('main', rows, 'poll'),
    isStored: async (store, number) => (await store.erp.customer('main', `C-${number}`)) !== null,
    places: { licenseKey: 'licenses', emailKey: 'emails', content: 'name' },
    ours: ['gone'],
  },
};

/** Tables without rows of a side, each with the reason. */
const NO_ROWS_OF_A_SIDE: Readonly<Record<string, string>> = {
  listing_signs: 'made of the listing, and stored with it',
  stock_history: 'made of the row that changes a figure, and stored with it',
  erp_images: 'one image at a time, by the look at its product',
  listing_images: 'one image at a time, by the look at its product',
  invalid_rows: 'made of an invalid row; its name is cut here',
  forgotten: 'an act of a person',
  inbox: 'kept as bytes; the entity that a webhook names has at most 64 characters',
  facts: 'made here',
  cursors: 'a time that could be read, as its side sent it',
  coverage: 'times that could be read, as their side sent them',
};
/** These tables are the program's own records. */
const OWN_TABLES = [access, noticeTables, records, work];

const tablesIn = (modules: readonly object[]): SQLiteTable[] =>
  modules.flatMap((module) => Object.values(module) as unknown[]).filter(isTable);

function isTable(value: unknown): value is SQLiteTable {
  try {
    return getTableConfig(value as SQLiteTable).name !== '';
  } catch {
    return false;
  }
}

const nameOf = (table: SQLiteTable) => getTableConfig(table).name;
const own = new Set(tablesIn(OWN_TABLES).map(nameOf));
const shadows = tablesIn([marketplaceTables, erpTables, reading]).filter(
  (table) => NO_ROWS_OF_A_SIDE[nameOf(table)] === undefined,
);

/** The name of a column in the rows of the program: `line_id` is `lineId`. */
const fieldOf = ({ name }: SQLiteColumn) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Where a good row has this field. null: nowhere. */
function placeOf(row: unknown, field: string, path: readonly string[] = []): string | null {
  if (typeof row !== 'object' || row === null || 'toFixed' in row) return null;
  if (field in row) return [...path, field].join('.');
  for (const [name, value] of Object.entries(row)) {
    const found = placeOf(value, field, [...path, name]);
    if (found !== null) return found;
  }
  return null;
}

/** The row with another value at this place. */
function withValue(row: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(row)) {
    const parts = row as readonly unknown[];
    return parts.map((one, index) => (String(index) === name ? withValue(one, rest, value) : one));
  }
  return { ...(row as Row), [name]: withValue((row as Row)[name], rest, value) };
}

/** A text that cannot be compressed into an index. */
const long = () =>
  Array.from({ length: 20_000 }, (_, index) => ((index * 2_654_435_761) % 2 ** 32).toString(36)).join('');
const BAD_VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  'a very long text': long(),
  'a text with NUL': 'a\0b',
  'half a surrogate pair': 'a\ud800b',
  'an enormous number': 2 ** 70,
  'a number beyond 2^53': 2 ** 53 + 2,
  'a negative number': -1,
  'no number': Number.NaN,
  'an object': { deep: { deeper: [1] } },
  'a date out of range': '99999-99-99T99:99:99Z',
};

interface Broken {
  readonly rule: string;
  readonly rows: (good: (number: number) => object) => readonly object[];
}

/** Every rule of a table, with rows that break it. The number 2 is the row that is broken. */
function rulesOf(table: SQLiteTable, list: List): Broken[] {
  const declared = getTableConfig(table);
  const columns = declared.columns as SQLiteColumn[];
  const { primaryKeys, uniqueConstraints, indexes, checks } = declared;
  expect(checks, 'a check of the database needs a row here that breaks it').toEqual([]);
  const ours = [...OURS, ...(list.ours ?? [])];
  const placed = (column: SQLiteColumn): string | null =>
    list.places?.[fieldOf(column)] ?? placeOf(list.row(2), fieldOf(column));
  const ofSide = columns.filter((column) => !ours.includes(fieldOf(column)));
  const values = ofSide.flatMap((column) => {
    const place = placed(column);
    if (place === null) throw new Error(`${nameOf(table)}.${column.name} is in no row: say where it comes from`);
    return Object.entries(BAD_VALUES).map(([what, value]) => ({
      rule: `${column.name}${column.notNull ? ', which may not be null,' : ''} is ${what}`,
      rows: (good: (number: number) => object) => [withValue(good(2), place.split('.'), value) as object],
    }));
  });
  const uniqueIndexes = indexes.filter(({ config }) => config.unique);
  const keys = [
    ...primaryKeys.map((key) => key.columns),
    ...uniqueConstraints.map((key) => key.columns),
    ...uniqueIndexes.map(({ config }) => config.columns as SQLiteColumn[]),
  ];
  return [...values, ...keys.flatMap((key) => twiceIn(key.map((column) => placed(column) ?? '')))];
}

/** Two rows with one key. Where the key lies in a list of the row, such as its lines, the row has a part of it twice. */
function twiceIn(places: readonly string[]): Broken[] {
  const part = places.map((place) => /^(.*)\.0\./.exec(place)?.[1]).find((list) => list !== undefined);
  const twice: Broken = { rule: 'the same row twice in a page', rows: (good) => [good(2), good(2)] };
  if (part === undefined) return [twice];
  const doubled = (row: object) => {
    const parts = part.split('.').reduce<unknown>((value, name) => (value as Row)[name], row) as unknown[];
    return withValue(row, part.split('.'), [...parts, ...parts]) as object;
  };
  return [twice, { rule: `two ${part} with one key`, rows: (good) => [doubled(good(2))] }];
}

test('each table with rows of a side is tested here, or has a reason why it is not', () => {
  const known = [...Object.keys(LISTS), ...Object.keys(NO_ROWS_OF_A_SIDE), ...own];
  const all = tablesIn([marketplaceTables, erpTables, reading, ...OWN_TABLES]).map(nameOf);
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((name) => !known.includes(name))).toEqual([]);
});

describe.each(shadows.map((table) => [nameOf(table), table] as const))('I19: rows of %s', (name, table) => {
  const list = LISTS[name];
  if (list === undefined) throw new Error(`no row of ${name} is known`);

  test('a row that breaks a rule of the table stops no other row', async () => {
    const { store } = shelf();
    const rules = rulesOf(table, list);
    for (const [index, { rule, rows }] of rules.entries()) {
      const [before, bad, after] = [1, 2, 3].map((place) => index * 3 + place) as [number, number, number];
      const good = (number: number) => list.row(number);
      const recorded = (all: readonly object[]) =>
        list.record(store, all as never[]).then(
          () => true,
          (error: unknown) => error,
        );
      const isOfBad = ({ what }: { what: string }) => new RegExp(`^([a-zA-Z]-|category )?${bad}$`).test(what);
      const invalid = async () => (await store.invalidRows.list('main')).filter(isOfBad);
      expect(await recorded([good(before), ...rows(() => good(bad)), good(after)]), rule).toBe(true);
      expect([await list.isStored(store, before), await list.isStored(store, after)], rule).toEqual([true, true]);
      const told = await invalid();
      for (const { cause } of told) expect(cause, rule).not.toBeNull();
      // The next read that shows a good row ends it.
      expect(await recorded([good(before), good(bad), good(after)]), rule).toBe(true);
      expect([await list.isStored(store, bad), await invalid()], rule).toEqual([true, []]);
    }
  });
});
