import { type Cause, type Code, cause, exampleOf } from '../../../src/domain/causes/cause.ts';
import { sql } from '../../../src/store/sql/orm.ts';
import { createStore } from '../../../src/store/sql/store.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import type { Store } from '../../../src/store/store.ts';
import { exact, IN_UNITS } from '../../support/units.ts';

/* The records of a large installation, made at once instead of over years. */

const ACCOUNT = 'main';
const AT_ONCE = 1_000;
const UNITS = exact(2);
const TOTAL = exact('25.00');
const STATUSES = ['Submitted', 'Accepted', 'Fulfilled', 'Shipped', 'Complete'] as const;
const FIRST_MS = Date.parse('2029-01-01T00:00:00Z');
const EVERY_MS = 60_000;

/** A reason for a hold, for each flow. */
const HELD_FOR = {
  stock: ['stock-unknown', 'unmapped-offer', 'orders-unread', 'figure-differs'],
  'order-in': ['customer-unlinked', 'product-unlinked', 'order-status-unknown', 'several-erp-orders', 'backorder'],
} as const satisfies Record<string, readonly Code[]>;

export interface LargeState {
  readonly products: number;
  readonly orders: number;
  /**
   * The number of entities that do not go on, half of them orders. Nine of ten are held, the others failed. Every twentieth is
   * in doubt too.
   */
  readonly stopped: number;
}

const instant = (place: number) => new Date(FIRST_MS + place * EVERY_MS).toISOString();
const numbered = (letter: string, place: number) => `${letter}-${String(place).padStart(6, '0')}`;
export const productKey = (place: number) => numbered('P', place);
export const skuOf = (place: number) => `SKU-${String(place).padStart(6, '0')}`;
/** Numbers like the marketplace's: no two begin alike. */
export const orderKey = (place: number) =>
  `${((place * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-${place}`;

/** Fills the database of a data folder that nothing works on. */
export async function fillLarge(dir: string, { products, orders, stopped }: LargeState): Promise<void> {
  const database = await openDatabase(dir);
  const store = createStore(database.db, Date.now);
  for (const places of parts(products)) await putProducts(store, places);
  for (const places of parts(orders)) await putOrders(store, places, products);
  // Everything was looked at.
  await database.db.transaction((tx) => tx.run(sql`delete from work`));
  for (const places of parts(stopped)) await stop(store, places);
  database.close();
}

function* parts(count: number): Generator<readonly number[]> {
  for (let from = 0; from < count; from += AT_ONCE)
    yield Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at + 1);
}

async function putProducts(store: Store, places: readonly number[]): Promise<void> {
  const price = { amount: exact('12.50'), currency: 'USD' };
  const named = (place: number) => ({ sku: skuOf(place), name: `Sea Salt Caramels ${place}, case of 24` });
  const kept = {
    description: 'Made in small batches.',
    active: true,
    deleted: false,
    unitMultiplier: UNITS,
    attributes: {},
  };
  await store.erp.recordProducts(
    ACCOUNT,
    places.map((place) => ({ id: productKey(place), ...named(place), ...kept, price, changedAt: instant(place) })),
    { listing: 1, lane: 'backfill' },
  );
  const onHand = exact(100);
  const counted = { onHand, reserved: exact(0), available: onHand, problem: null };
  await store.erp.recordStock(
    ACCOUNT,
    places.map((place) => ({ sku: skuOf(place), productId: productKey(place), ...counted, asOf: instant(place) })),
    'backfill',
  );
  const figures = { quantity: onHand, reserved: exact(0), available: onHand };
  const listings = places.map((place) => {
    const dated = { modified: instant(place), createdOn: instant(place), externalId: productKey(place) };
    const shown = { archived: false, figures, price, unitMultiplier: UNITS, managed: true, description: undefined };
    return {
      product: { id: place, ...named(place), ...dated, ...shown },
      raw: JSON.stringify({ id: place, ...named(place) }),
    };
  });
  const read = { invalidRows: [], window: null, lane: 'backfill', expected: true, units: IN_UNITS } as const;
  await store.products.record({ account: ACCOUNT, rows: listings, mapped: [], ...read });
  await link(
    store,
    'product',
    places.map((place) => [String(place), productKey(place)]),
  );
}

async function putOrders(store: Store, places: readonly number[], products: number): Promise<void> {
  const orderOf = (place: number) => ({
    number: orderKey(place),
    status: STATUSES[place % STATUSES.length] ?? 'Submitted',
    modified: instant(place),
    externalId: numbered('SO', place),
    customer: { id: 1 + (place % 500), name: `Corner Shop ${1 + (place % 500)}` },
    discountAmount: exact(0),
    shippingAmount: null,
    taxAmount: null,
    total: TOTAL,
    deliveryState: 'OR',
    lines: [{ ...LINE, id: place, productId: 1 + (place % products), quantity: UNITS }],
  });
  const rows = places.map((place) => ({ order: orderOf(place), raw: JSON.stringify({ number: orderKey(place) }) }));
  const read = {
    invalidRows: [],
    window: null,
    readTick: null,
    cursorBefore: null,
    lane: 'backfill',
    units: IN_UNITS,
  } as const;
  await store.orders.record({ account: ACCOUNT, rows, knownBeforeTick: Number.MAX_SAFE_INTEGER, ...read });
  const zero = exact(0);
  const amounts = { currency: 'USD', discount: zero, shipping: zero, tax: zero, total: TOTAL, note: '' };
  await store.erp.recordOrders(
    ACCOUNT,
    places.map((place) => ({
      id: numbered('SO', place),
      reference: orderKey(place),
      origin: 'marketplace',
      status: 'shipped',
      customer: { id: `C-${1 + (place % 500)}` },
      lines: [{ sku: skuOf(1 + (place % products)), quantity: UNITS, unitPrice: exact('12.50') }],
      ...amounts,
      changedAt: instant(place),
    })),
    'backfill',
  );
  await link(
    store,
    'order',
    places.map((place) => [orderKey(place), numbered('SO', place)]),
  );
}

async function link(
  { links }: Store,
  kind: 'product' | 'order',
  ids: readonly (readonly [string, string])[],
): Promise<void> {
  const how = { account: ACCOUNT, kind, how: 'operator', createdAtMs: FIRST_MS } as const;
  await links.linkAll(
    ids.map(([marketplaceId, erpId]) => ({ ...how, marketplaceId, erpId })),
    true,
    'a bench',
  );
}

const LINE = {
  orderedUnitPrice: { amount: exact('12.50'), currency: 'USD' },
  salesPrice: null,
  unitMultiplier: null,
} as const;

async function stop({ work, intents }: Store, places: readonly number[]): Promise<void> {
  const targets = places.map((place) => {
    const flow: keyof typeof HELD_FOR = place % 2 === 0 ? 'stock' : 'order-in';
    return { account: ACCOUNT, flow, key: flow === 'stock' ? productKey(place) : orderKey(place) };
  });
  await work.mark(targets, 'backfill', 'a bench');
  for (const [at, target] of targets.entries()) {
    const version = (await work.get(target))?.version ?? 0;
    const codes = HELD_FOR[target.flow];
    const code: Code = codes[(at >> 1) % codes.length] ?? 'stock-unknown';
    if ([8, 19].includes(at % 20))
      await work.fail(target, version, 'marketplace-unavailable', 'it is being maintained', 5);
    else await work.hold(target, version, [exampleOf(code) as Cause]);
    if (at % 20 !== 0) continue;
    const id = await intents.open({ account: ACCOUNT, kind: 'product', key: target.key, externalId: target.key });
    await intents.inDoubt(id, cause('several-match', { found: ['listing 70', 'listing 71'], sent: true }));
  }
}
