import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import type { Figure } from '../../src/domain/decimal.ts';
import type { MarketplaceOrder, OrderLine } from '../../src/domain/order.ts';
import type { MarketplaceProduct } from '../../src/domain/product.ts';
import type { ErpStock } from '../../src/domain/shadow/erp-stock.ts';
import type { ErpOrder, ErpProduct } from '../../src/erp/connector.ts';
import type { RecordOrders, RecordProducts } from '../../src/store/marketplace.ts';
import { type OpenPostgres, openPostgres } from '../../src/store/postgres/open.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/sqlite/database.ts';
import type { Store } from '../../src/store/store.ts';
import { newSchema, stopPostgres, type TestSchema } from '../support/postgres.ts';
import { exact, IN_UNITS } from '../support/units.ts';

export const d = (text: string): Figure<never> => exact(text);

/** A store for one test, with a clock that stands still until the test moves it. */
export interface Shelf {
  readonly store: Store;
  /** The SQLite database under the store, for a test of the statements. */
  sqlite(): OpenDatabase;
  /** The same store under a lease. */
  fenced(account: string, fence: number): Store;
  nowMs: number;
  /** Takes the pending work away. Answers it as "flow key". */
  takeWork(account?: string): Promise<string[]>;
}

/** A store that a test has for itself, with its database. */
interface Opened extends Pick<Shelf, 'store' | 'sqlite' | 'fenced'> {
  close(): void | Promise<void>;
}

/**
 * Every implementation of the store. The tests in `contract/` hold for each implementation, because they use only the declared
 * interface. STOCKBRIDGE_TEST_STORE names the implementation that a run tests.
 */
const STORES: Readonly<Record<string, (now: () => number) => Promise<Opened>>> = {
  sqlite: openSqlite,
  postgres: openPostgresShelf,
};

/** A new shelf for each test of the file. */
export function useShelf(): () => Shelf {
  let used: Opened | null = null;
  let shelf: Shelf | null = null;
  beforeEach(async () => {
    const name = process.env['STOCKBRIDGE_TEST_STORE'] ?? 'sqlite';
    const open = STORES[name];
    if (open === undefined) throw new Error(`there is no store ${name}; there are ${Object.keys(STORES).join(', ')}`);
    const clock = { nowMs: 1_000_000 };
    used = await open(() => clock.nowMs);
    shelf = shelfOn(used, clock);
  });
  afterEach(() => used?.close());
  afterAll(async () => {
    if (migrated !== null) rmSync(await migrated, { recursive: true });
    migrated = null;
  });
  return () => {
    if (shelf === null) throw new Error('there is a shelf in a test only');
    return shelf;
  };
}

async function openSqlite(now: () => number): Promise<Opened> {
  const dir = mkdtempSync(join(tmpdir(), 'shelf-'));
  cpSync(await migratedDir(), dir, { recursive: true });
  const open = await openDatabase(dir);
  const close = () => {
    open.close();
    rmSync(dir, { recursive: true });
  };
  const fenced = (account: string, fence: number) => createStore(open.db, now, { account, fence });
  return { store: createStore(open.db, now), fenced, sqlite: () => open, close };
}

/** One schema for each test file. The rows that a test leaves are removed after the test. */
let opened: Promise<{ readonly postgres: OpenPostgres; readonly schema: TestSchema }> | null = null;
let clockOfTest = (): number => 0;

async function openPostgresShelf(now: () => number): Promise<Opened> {
  clockOfTest = now;
  opened ??= (async () => {
    const schema = await newSchema();
    return { postgres: await openPostgres(schema.url, () => clockOfTest(), true), schema };
  })();
  const { postgres, schema } = await opened;
  return {
    store: postgres.store,
    fenced: postgres.fenced,
    sqlite: () => {
      throw new Error('this is no SQLite');
    },
    close: schema.empty,
  };
}

/** Closes PostgreSQL at the end of a test file. */
export async function closePostgres(): Promise<void> {
  const { postgres, schema } = (await opened) ?? {};
  await postgres?.close();
  await schema?.drop();
  await stopPostgres();
}

let migrated: Promise<string> | null = null;

/** Migrated once, copied for each test. */
function migratedDir(): Promise<string> {
  migrated ??= (async () => {
    const dir = mkdtempSync(join(tmpdir(), 'shelf-'));
    (await openDatabase(dir)).close();
    return dir;
  })();
  return migrated;
}

function shelfOn({ store, sqlite, fenced }: Opened, clock: { nowMs: number }): Shelf {
  return {
    store,
    sqlite,
    fenced,
    get nowMs() {
      return clock.nowMs;
    },
    set nowMs(nowMs) {
      clock.nowMs = nowMs;
    },
    async takeWork(account = 'main') {
      const rows = await store.work.due(account, 1_000);
      for (const row of rows) await store.work.settle(row, row.version);
      return rows.map((row) => `${row.flow} ${row.key}`).toSorted();
    },
  };
}

/** The instant of a minute of a fixed day. */
export const at = (minute: number): string => new Date(Date.UTC(2030, 0, 1, 12, minute)).toISOString();

export function line(changes: Partial<OrderLine> = {}): OrderLine {
  return {
    id: 1,
    productId: 70,
    quantity: d('7'),
    orderedUnitPrice: { amount: d('12.50'), currency: 'USD' },
    salesPrice: null,
    unitMultiplier: null,
    ...changes,
  };
}

export function order(changes: Partial<MarketplaceOrder> = {}): MarketplaceOrder {
  return {
    number: 'o-1',
    status: 'Submitted',
    modified: at(0),
    externalId: null,
    customer: { id: 5, name: 'Corner Shop' },
    discountAmount: d('0'),
    shippingAmount: null,
    taxAmount: null,
    total: null,
    deliveryState: 'OR',
    lines: [line()],
    ...changes,
  };
}

export function orderBatch(orders: readonly MarketplaceOrder[], changes: Partial<RecordOrders> = {}): RecordOrders {
  return {
    account: 'main',
    rows: orders.map((each) => ({
      order: each,
      raw: JSON.stringify({ ...each, delivery_address: { state: each.deliveryState } }),
    })),
    invalidRows: [],
    window: null,
    readTick: null,
    // All earlier observations came before these events.
    knownBeforeTick: Number.MAX_SAFE_INTEGER,
    cursorBefore: null,
    lane: 'poll',
    units: IN_UNITS,
    ...changes,
  };
}

export function product(changes: Partial<MarketplaceProduct> = {}): MarketplaceProduct {
  return {
    id: 70,
    sku: 'SB-1',
    modified: at(0),
    createdOn: at(0),
    archived: false,
    externalId: 'P-1',
    figures: { quantity: d('100'), reserved: d('0'), available: d('100') },
    name: 'Kush',
    description: undefined,
    price: { amount: d('12.50'), currency: 'USD' },
    unitMultiplier: undefined,
    managed: true,
    ...changes,
  };
}

export function productBatch(
  products: readonly MarketplaceProduct[],
  changes: Partial<RecordProducts> = {},
): RecordProducts {
  return {
    account: 'main',
    rows: products.map((each) => ({ product: each, raw: JSON.stringify({ id: each.id }) })),
    invalidRows: [],
    window: null,
    lane: 'poll',
    expected: true,
    mapped: [],
    units: IN_UNITS,
    ...changes,
  };
}

export function erpProduct(changes: Partial<ErpProduct> = {}): ErpProduct {
  return {
    id: 'P-1',
    sku: 'SB-1',
    name: 'Kush',
    description: '',
    active: true,
    deleted: false,
    price: { amount: d('12.50'), currency: 'USD' },
    unitMultiplier: d('1'),
    attributes: {},
    changedAt: at(0),
    ...changes,
  };
}

export function stockRow(changes: Partial<ErpStock> = {}): ErpStock {
  return {
    sku: 'SB-1',
    productId: 'P-1',
    onHand: d('100'),
    reserved: d('0'),
    available: d('100'),
    asOf: at(0),
    problem: null,
    ...changes,
  };
}

export function erpOrder(changes: Partial<ErpOrder> = {}): ErpOrder {
  return {
    id: 'E-1',
    reference: 'o-1',
    origin: 'marketplace',
    status: 'reserved',
    customer: { id: 'C-5' },
    currency: 'USD',
    lines: [{ sku: 'SB-1', quantity: d('7'), unitPrice: d('12.50') }],
    discount: d('0'),
    shipping: d('0'),
    tax: d('0'),
    total: d('87.50'),
    note: '',
    changedAt: at(0),
    ...changes,
  };
}
