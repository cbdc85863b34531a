import { cause } from '../../src/domain/causes/cause.ts';
import { type Chance, createChance } from '../../src/sandbox/chance.ts';
import type { Store } from '../../src/store/store.ts';
import { at, d, erpOrder, erpProduct, line, order, orderBatch, product, productBatch, stockRow } from './shelf.ts';

/*
 * Rows of every kind that refer to each other at random. There are few ids and few signs, so many rows meet, are linked twice,
 * or are linked to nothing.
 */

const EACH = 12;
const ODD = ['', '\0', "'; --", '\u{10FFFD}0', '\\u0000', '"', '\u{1F600}'] as const;

export async function crowd(store: Store, seed: number): Promise<void> {
  const chance = createChance(seed);
  await products(store, chance);
  await orders(store, chance);
  await customers(store, chance);
  await payments(store, chance);
  await rest(store, chance);
  await links(store, chance);
  await creates(store, chance);
}

const ids = Array.from({ length: EACH }, (_, nth) => nth);
const nth = (chance: Chance): number => chance.whole(0, EACH - 1);
const maybe = <Value>(chance: Chance, value: () => Value): Value | null => (chance.whole(0, 2) === 0 ? value() : null);
const odd = (chance: Chance): string => chance.pick(ODD);

const erpId = (n: number) => `P-${n}`;
const listing = (n: number) => 70 + n;
const sku = (n: number) => `SB-${n}`;

async function products(store: Store, chance: Chance): Promise<void> {
  for (const minute of [1, 2]) {
    const rows = ids.map((n) =>
      erpProduct({
        id: erpId(n),
        sku: sku(maybe(chance, () => nth(chance)) ?? n),
        name: `Kush ${chance.whole(0, 4)} ${odd(chance)}`,
        changedAt: at(minute),
      }),
    );
    await store.erp.recordProducts('main', rows, { listing: minute, lane: 'poll' });
  }
  const stock = ids.flatMap((n) => [stockRow({ productId: erpId(n), sku: sku(n) }), placed(n, chance)]);
  await store.erp.recordStock('main', stock, 'poll');
  const shown = ids.map((n) =>
    product({
      id: listing(n),
      sku: maybe(chance, () => sku(nth(chance))) ?? `X-${n}`,
      externalId: maybe(chance, () => erpId(nth(chance))),
      name: `Kush ${chance.whole(0, 4)}`,
    }),
  );
  const invalidRows = [{ what: String(listing(20)), path: 'name', message: odd(chance) }];
  await store.products.record(productBatch(shown, { invalidRows }));
}

const placed = (n: number, chance: Chance) =>
  stockRow({ productId: erpId(n), sku: sku(n), location: 'EAST', batch: `LOT-${chance.whole(0, 2)}` });

const number = (n: number) => `o-${n}`;
const erpOrderId = (n: number) => `E-${n}`;

async function orders(store: Store, chance: Chance): Promise<void> {
  const lines = () => [1, 2].map((id) => line({ id, productId: listing(nth(chance)) }));
  const rows = ids.map((n) =>
    order({
      number: number(n),
      status: chance.pick(['Submitted', 'Accepted', 'Cancelled', 'Complete']),
      externalId: maybe(chance, () => erpOrderId(nth(chance))),
      customer: { id: nth(chance), name: `Shop ${odd(chance)}` },
      lines: lines(),
    }),
  );
  await store.orders.record(
    orderBatch(rows, { invalidRows: [{ what: number(20), path: 'total', message: 'no number' }] }),
  );
  const made = ids.map((n) => {
    const isOwn = chance.whole(0, 2) === 0;
    return erpOrder({
      id: erpOrderId(n),
      origin: isOwn ? 'erp' : 'marketplace',
      reference: isOwn ? erpOrderId(n) : number(nth(chance)),
      customer: { id: `C-${nth(chance)}` },
      lines: [nth(chance), nth(chance)].map((of) => ({ sku: sku(of), quantity: d('2'), unitPrice: d('12.50') })),
      note: odd(chance),
    });
  });
  await store.erp.recordOrders('main', made, 'poll');
}

async function customers(store: Store, chance: Chance): Promise<void> {
  const signs = () => ({
    licenseNumber: maybe(chance, () => `LIC-${chance.whole(0, 3)}`),
    email: maybe(chance, () => `ann${chance.whole(0, 3)}@shop.test`),
  });
  const rows = ids.map((id) => ({
    customer: {
      id,
      name: `Shop ${odd(chance)}`,
      modified: at(id),
      archived: false,
      externalId: maybe(chance, () => `C-${nth(chance)}`),
      ...signs(),
    },
    content: JSON.stringify({ odd: odd(chance) }),
  }));
  await store.customers.record({ account: 'main', rows, invalidRows: [], window: null, lane: 'poll' });
  const items = ids.map((n) => {
    const { licenseNumber, email } = signs();
    return {
      id: `C-${n}`,
      name: odd(chance),
      marketplaceId: maybe(chance, () => nth(chance)),
      changedAt: at(1),
      ...(licenseNumber === null ? {} : { licenseNumber }),
      ...(email === null ? {} : { email }),
    };
  });
  await store.erp.recordCustomers('main', items, 'poll');
}

async function payments(store: Store, chance: Chance): Promise<void> {
  const rows = ids.map((n) => ({
    id: `M-${n}`,
    orderNumber: number(nth(chance)),
    total: d('50.00'),
    currency: 'USD',
    type: 'cash',
    paidAt: at(0),
    createdAt: at(n),
  }));
  await store.payments.record({ account: 'main', rows, invalidRows: [], lane: 'poll' });
  const items = ids.map((n) => ({
    id: `PAY-${n}`,
    reference: chance.pick([number(nth(chance)), erpOrderId(nth(chance))]),
    amount: d('50.00'),
    currency: 'USD',
    method: odd(chance),
    receivedAt: at(0),
    marketplaceId: null,
    voided: chance.whole(0, 4) === 0,
    changedAt: at(1),
  }));
  await store.erp.recordPayments('main', items, 'poll');
}

async function rest(store: Store, chance: Chance): Promise<void> {
  const lots = ids.map((n) => ({
    id: `L-${n}`,
    productId: erpId(nth(chance)),
    batch: `LOT-${chance.whole(0, 2)}`,
    attributesText: '{"grade":1.50}',
    changedAt: at(1),
  }));
  await store.erp.recordLots('main', lots, 'poll');
  const batches = ids.map((id) => ({ id, matchKey: `LOT-${chance.whole(0, 2)}`, content: JSON.stringify({ id }) }));
  await store.batches.record('main', batches, 'poll');
  const transports = ids.map((n) => ({
    id: `T-${n}`,
    orderKey: maybe(chance, () => chance.pick([number(nth(chance)), erpOrderId(nth(chance))])),
    status: 'shipped',
    shippedAt: at(1),
    deliveredAt: null,
    expectedAt: null,
    requestedOn: null,
    tracking: odd(chance),
  }));
  await store.transports.record('main', transports, 'poll');
  const assigned = ids.map((n) => ({ listingId: listing(n), content: odd(chance) }));
  await store.assignments.record({ account: 'main', rows: assigned, absent: null, tick: 1, lane: 'poll' });
}

const SIDES = {
  product: [(n: number) => String(listing(n)), erpId],
  order: [number, erpOrderId],
  customer: [String, (n: number) => `C-${n}`],
  payment: [(n: number) => `M-${n}`, (n: number) => `PAY-${n}`],
  batch: [String, (n: number) => `L-${n}`],
} as const;

/** Links half of the entities of each kind, each to another entity. */
async function links(store: Store, chance: Chance): Promise<void> {
  for (const kind of Object.keys(SIDES) as (keyof typeof SIDES)[]) {
    const [there, here] = SIDES[kind];
    const shift = nth(chance);
    for (const n of ids.slice(0, EACH / 2)) {
      const link = { kind, marketplaceId: there(n), erpId: here((n + shift) % EACH), how: 'operator' } as const;
      await store.mappings.link({ account: 'main', ...link });
    }
  }
}

const CREATES = {
  'order-in': number,
  'order-out': erpOrderId,
  'customer-in': String,
  'customer-out': (n: number) => `C-${n}`,
  'payment-in': (n: number) => `M-${n}`,
  'payment-out': (n: number) => `PAY-${n}`,
  product: erpId,
  'product-in': (n: number) => String(listing(n)),
  'batch-out': (n: number) => `L-${n}`,
} as const;

/** Begins creates of some entities, and settles a part of them. */
async function creates(store: Store, chance: Chance): Promise<void> {
  for (const [kind, keyOf] of Object.entries(CREATES) as [keyof typeof CREATES, (n: number) => string][]) {
    for (const n of ids.slice(EACH - 3)) {
      const id = await store.intents.open({ account: 'main', kind, key: keyOf(n), externalId: '' });
      if (chance.whole(0, 1) === 0) await store.intents.applied(id, null, cause('linked', { how: 'operator' }));
    }
  }
}
