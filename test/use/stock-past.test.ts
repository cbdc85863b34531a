import { expect, test } from 'vitest';
import type { AccountConfig } from '../../src/config/resolve.ts';
import { recordedPast } from '../../src/use/stock-past.ts';
import {
  at,
  d,
  erpOrder,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../store/shelf.ts';
import { IN_UNITS, LINES_IN_CASES } from '../support/units.ts';

const shelf = useShelf();

async function past({ sinceMs = 0, exportFrom = null as string | null, units = IN_UNITS } = {}) {
  const config = { units, orders: { exportFrom } } as AccountConfig;
  const found = await recordedPast({ account: 'main', config, store: shelf().store }, 'P-1', sinceMs);
  if (found?.past == null) return found;
  const { shares, events, holdings } = found.past;
  const share = (of: { effect: string; quantity: { toFixed(): string } } | null) =>
    of === null ? null : `${of.effect} ${of.quantity.toFixed()}`;
  return {
    shares: Object.fromEntries([...shares].map(([number, of]) => [number, share(of)])),
    events: events.map((event) =>
      event.kind === 'reading'
        ? [event.atMs, event.available?.toFixed() ?? null]
        : [event.atMs, event.order, share(event.share)],
    ),
    holdings: Object.fromEntries(
      [...holdings].map(([number, of]) => [number, of.map(({ quantity, since }) => [quantity.toFixed(), since])]),
    ),
  };
}

async function list(): Promise<void> {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
}

const read = (minute: number, available: string, more: Parameters<typeof stockRow>[0] = {}) => {
  const figures = { onHand: d(available), available: d(available), asOf: at(minute) };
  return shelf().store.erp.recordStock('main', [stockRow({ ...figures, ...more })], 'poll');
};
const seen = (number: string, minute: number, status: string, quantity = '7') =>
  shelf().store.orders.record(
    orderBatch([order({ number, status, modified: at(minute), lines: [line({ quantity: d(quantity) })] })]),
  );

test('the past of the stock is what was recorded, and its beginning follows from the state before', async () => {
  await list();
  await read(0, '100');
  await seen('o-1', 1, 'Submitted');
  await seen('o-2', 1, 'Submitted', '2');
  await shelf().store.erp.recordOrders('main', [erpOrder({ changedAt: at(2) })], 'poll');
  await shelf().store.mappings.link({
    account: 'main',
    kind: 'order',
    marketplaceId: 'o-1',
    erpId: 'E-1',
    how: 'created',
  });
  shelf().nowMs = 2_000_000;
  await read(3, '93');
  await seen('o-1', 4, 'Fulfilled');
  const holdings = {
    'o-1': [
      ['0', null],
      ['7', at(2)],
    ],
  };
  expect(await past()).toEqual({
    shares: {},
    events: [
      [1_000_000, 'o-1', 'reserved 7'],
      [1_000_000, 'o-2', 'reserved 2'],
      [1_000_000, '100'],
      [2_000_000, 'o-1', 'consumed 7'],
      [2_000_000, '93'],
    ],
    holdings,
  });
  // The figure that was known then still holds. Order o-2 has not changed since.
  expect(await past({ sinceMs: 1_500_000 })).toEqual({
    shares: { 'o-1': 'reserved 7', 'o-2': 'reserved 2' },
    events: [
      [1_500_000, '100'],
      [2_000_000, 'o-1', 'consumed 7'],
      [2_000_000, '93'],
    ],
    holdings,
  });
  // After pruning, the holdings of then are taken from the present holdings.
  await shelf().store.history.prune(1_500_000);
  expect(await past()).toEqual({
    shares: { 'o-1': 'reserved 7', 'o-2': 'reserved 2' },
    events: [
      [2_000_000, 'o-1', 'consumed 7'],
      [2_000_000, '93'],
    ],
    holdings: { 'o-1': [['7', at(2)]] },
  });
});

test('orders that were shipped before anything is exported are left out of the past, as in the ledger', async () => {
  await list();
  await read(0, '100');
  await seen('o-1', 1, 'Complete');
  expect(await past()).toMatchObject({
    events: [
      [1_000_000, 'o-1', 'consumed 7'],
      [1_000_000, '100'],
    ],
  });
  expect(await past({ exportFrom: at(5) })).toMatchObject({ shares: {}, events: [[1_000_000, '100']] });
  await seen('o-2', 2, 'Submitted');
  expect(await past({ exportFrom: at(5) })).toMatchObject({
    events: [
      [1_000_000, 'o-2', 'reserved 7'],
      [1_000_000, '100'],
    ],
  });
});

test('a past line without a case size has that of its listing, as in the ledger', async () => {
  await list();
  const { store } = shelf();
  await store.products.record(productBatch([product({ unitMultiplier: d('12'), modified: at(1) })]));
  const lines = [line({ quantity: d('2') })];
  await store.orders.record(orderBatch([order({ lines, modified: at(1) })], { units: LINES_IN_CASES }));
  expect(await past({ units: LINES_IN_CASES })).toMatchObject({ events: [[1_000_000, 'o-1', 'reserved 24']] });
  // Without older records, the past is taken from the present state.
  shelf().nowMs = 2_000_000;
  expect(await past({ units: LINES_IN_CASES, sinceMs: 1_500_000 })).toMatchObject({
    shares: { 'o-1': 'reserved 24' },
  });
});

test('stock that is not one figure, or none, cannot be replayed', async () => {
  expect(await past()).toBeNull();
  await list();
  await read(0, '60', { location: 'MAIN' });
  expect(await past()).toMatchObject({ events: [[1_000_000, '60']] });
  await read(0, '40', { location: 'EAST' });
  expect(await past()).toEqual({ sku: 'SB-1', past: null });
});

test('a listing without managed inventory takes no figure in the past', async () => {
  await list();
  await read(0, '60');
  await shelf().store.products.record(productBatch([product({ managed: false, modified: at(1) })]));
  expect(await past()).toEqual({ sku: 'SB-1', past: null });
});
