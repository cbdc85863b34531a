import { expect, test } from 'vitest';
import { FLOW_NAMES, FLOWS } from '../../src/flows/flows.ts';
import type { Queryable } from '../../src/store/sql/database.ts';
import { sql } from '../../src/store/sql/orm.ts';
import { orderSubject, PERSONAL_FLOWS, placesOf } from '../../src/store/sql/personal-rows.ts';
import { useShelf } from './shelf.ts';

/**
 * The contents of the columns of text. `person`: about a customer, in words. `thing`: about a product, a stock, a batch or the
 * program itself. `operator`: the person who acts here, or a text of that person. `secret`: a token.
 */
type Told = 'person' | 'thing' | 'operator' | 'secret';

/** Columns of ids, codes, figures, times and hashes, by their names. They tell of nobody. */
const TELLS_NOTHING =
  /^(account|flow|key|kind|state|lane|outcome|action|cause|collection|status|origin|side|type|how|currency|hash|etag|id|sku)$|(^|_)(id|key|hash|status|currency|amount|at|on|instant|as|multiplier|quantity|reserved|since)$|^(reference|number|order_number|batch|location|match_key|method|total|available|unexplained|unseen|modified|as_of|on_hand|delivery_state|dropped_as)$/;

const TOLD: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  answers: { answer: 'operator' },
  assignments: { content: 'thing' },
  audit: { who: 'operator', target: 'thing', before: 'thing', after: 'thing' },
  batches: { content: 'thing' },
  brake_items: { target: 'person', before: 'person', after: 'person', why: 'person', reason: 'person' },
  brake_plans: { reason: 'thing', decided_by: 'operator' },
  configurations: { settings: 'thing', brought_by: 'operator' },
  coverage: { finding: 'thing' },
  cursors: { value: 'thing' },
  customers: { name: 'person', license_key: 'person', email_key: 'person', content: 'person' },
  daemon_configurations: { daemon: 'operator', settings: 'thing', problem: 'thing' },
  daemons: { name: 'operator' },
  drifts: { moves: 'thing', note: 'operator' },
  erp_customers: { name: 'person', license_key: 'person', email_key: 'person', content: 'person' },
  erp_images: { url: 'thing', failure: 'thing' },
  erp_lots: { attributes: 'thing' },
  erp_orders: { content: 'person' },
  erp_products: { name: 'thing', description: 'thing', attributes: 'thing' },
  erp_stock: { problem: 'thing' },
  facts: { name: 'thing', value: 'thing' },
  failed_jobs: { message: 'person' },
  inbox: { body: 'person', entity: 'thing' },
  intents: { sent: 'person', evidence: 'person', candidates: 'person' },
  journal: { target: 'person', before: 'person', after: 'person', why: 'person', answer: 'person' },
  leases: { holder: 'operator' },
  listing_signs: { sign: 'thing' },
  mappings: { echoes: 'person' },
  measurements: { rows: 'thing' },
  messages: { channel: 'operator', event: 'thing', about: 'thing', code: 'thing' },
  invalid_rows: { what: 'person', path: 'person', message: 'person' },
  names: { name: 'thing' },
  notices: { about: 'thing', code: 'thing' },
  order_bases: { record: 'thing' },
  orders: { customer_name: 'person', raw: 'person', first_modified: 'thing', history: 'thing' },
  pauses: { reason: 'operator' },
  products: { name: 'thing', description: 'thing', raw: 'thing' },
  reconciles: { failure: 'thing' },
  stock_history: { part: 'thing', before: 'thing', after: 'thing' },
  sessions: { proof: 'secret' },
  transport_orders: { tracking: 'thing' },
  tokens: { source: 'thing', access_token: 'secret', refresh_token: 'secret' },
  work: { reason: 'person', hold_reason: 'person' },
};

/** Signs by which customers are compared, although their names say key. */
const SIGNS = ['license_key', 'email_key'];

const shelf = useShelf();

function inDatabase<Result>(work: (tx: Queryable) => Result): Promise<Result> {
  return shelf().sqlite().db.transaction(work);
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly needed: number;
}

function columns(): Promise<Column[]> {
  return inDatabase((tx) =>
    tx.all<Column>(sql`select t.name as "table", c.name as name, c.type as type, c."notnull" as needed
      from sqlite_master as t, pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like '\\_\\_%' escape '\\'`),
  );
}

const holdsText = ({ type }: Column) => ['text', 'blob'].includes(type.toLowerCase());

test('every text column is classified as personal data or not, so that erasure covers a new one', async () => {
  const open = (await columns())
    .filter((column) => holdsText(column) && (SIGNS.includes(column.name) || !TELLS_NOTHING.test(column.name)))
    .map(({ table, name }) => `${table}.${name}`);
  const classified = Object.entries(TOLD).flatMap(([table, of]) => Object.keys(of).map((name) => `${table}.${name}`));
  expect(classified.toSorted()).toEqual(open.toSorted());
});

test('every text about a person is listed with the person, and gone after an erasure, in every column', async () => {
  const NAME = 'Ann Canary';
  const telling = JSON.stringify({ name: NAME });
  const places = Object.keys(placesOf('main', orderSubject([], [])));
  const personal = Object.entries(TOLD).filter(([, of]) => Object.values(of).includes('person'));
  expect(personal.map(([table]) => table).filter((table) => !places.includes(table))).toEqual([]);

  const all = await columns();
  await inDatabase((tx) => {
    for (const [table, of] of personal) {
      const ofTable = all.filter((column) => column.table === table && column.name !== 'id');
      const values = ofTable.map((column) => valueOf(table, column, of[column.name] === 'person' ? telling : null));
      const id = { customers: 5, erp_customers: 'C-5', erp_orders: 'SO-1' }[table] ?? 1;
      const names = ['id', ...ofTable.map(({ name }) => name)].filter((name) =>
        all.some((column) => column.table === table && column.name === name),
      );
      const put =
        names[0] === 'id' && all.some((one) => one.table === table && one.name === 'id') ? [id, ...values] : values;
      tx.run(
        sql`insert into ${sql.identifier(table)} (${sql.join(
          names.map((name) => sql.identifier(name)),
          sql`, `,
        )}) values (${sql.join(
          put.map((value) => sql`${value}`),
          sql`, `,
        )})`,
      );
    }
  });
  const ids = { marketplaceId: 5, erpId: 'C-5' };
  const shown = await shelf().store.personal.rows('main', ids);
  for (const [table] of personal)
    expect([table, JSON.stringify(shown[table])]).toEqual([table, expect.stringContaining(NAME)]);
  const { answers } = shelf().store;
  const act = { hash: 'a', requestHash: 'approve' };
  await answers.begin(act, { most: 1 });
  await answers.end('a', telling);
  await shelf().store.personal.forget('main', ids, 'a test');
  const left = await inDatabase((tx) =>
    all.filter(holdsText).flatMap(({ table, name }) => {
      const rows = tx.all<{ told: string | null }>(
        sql`select cast(${sql.identifier(name)} as text) as told from ${sql.identifier(table)}`,
      );
      return rows.some(({ told }) => told?.includes(NAME)) ? [`${table}.${name}`] : [];
    }),
  );
  expect(left).toEqual([]);
});

/** A row of customer 5, of its order N-1, or of that order in the ERP. */
function valueOf(table: string, { name, type }: Column, telling: string | null): string | number | Buffer | null {
  const ERP_ORDER = { customer: { id: 'C-5', name: 'Ann Canary' }, currency: 'USD', lines: [], note: 'Ann Canary' };
  const MONEY = { discount: '0', shipping: '0', tax: '0', total: '0' };
  if (table === 'erp_orders' && name === 'content') return JSON.stringify({ ...ERP_ORDER, ...MONEY });
  if (table === 'inbox' && name === 'body') return Buffer.from(`{"number":"N-1","name":"Ann Canary"}`);
  if (table === 'invalid_rows' && name === 'what') return 'N-1';
  if (table === 'mappings') {
    const known = { kind: 'customer', marketplace_id: '5', erp_id: 'C-5' }[name];
    if (known !== undefined) return known;
  }
  if (telling !== null) return telling;
  const known = {
    account: 'main',
    flow: 'order-in',
    key: 'N-1',
    kind: table === 'intents' ? 'order-in' : 'orders',
    collection: 'orders',
    number: 'N-1',
    reference: 'N-1',
    customer_id: 5,
    modified: '2030-01-01T00:00:00Z',
    state: 'held',
  }[name];
  return known ?? (type.toLowerCase() === 'integer' ? 1 : '0');
}

/** Flows about neither customers nor orders: their keys are products, lots, listings and payments. */
const ABOUT_THINGS = [
  'product',
  'images',
  'assignments',
  'stock',
  'facility-stock',
  'batch-out',
  'product-in',
  'payment-in',
  'payment-out',
];

test('every flow is classified as personal data or not, so that erasure covers a new one', () => {
  const { customer, order } = PERSONAL_FLOWS;
  expect([...customer, ...order, ...ABOUT_THINGS].toSorted()).toEqual([...FLOW_NAMES].toSorted());
  const ofKind = (kind: string) => FLOW_NAMES.filter((flow) => FLOWS[flow].links === kind).toSorted();
  expect([customer.toSorted(), order.toSorted()]).toEqual([ofKind('customer'), ofKind('order')]);
});
