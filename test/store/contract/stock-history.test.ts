import { expect, test } from 'vitest';
import { at, d, erpOrder, line, order, orderBatch, stockRow, useShelf } from '../shelf.ts';

const shelf = useShelf();

const link = (kind: 'product' | 'order', marketplaceId: string, erpId: string) =>
  shelf().store.mappings.link({ account: 'main', kind, marketplaceId, erpId, how: 'sku' });

test('stock history records a figure when it changed, and an unusable one as unknown', async () => {
  const { store } = shelf();
  const record = (...changes: Parameters<typeof stockRow>) =>
    store.erp.recordStock('main', [stockRow(...changes)], 'poll');
  await record();
  await record({ asOf: at(1) });
  await record({ asOf: at(2), onHand: d('90'), available: d('90') });
  await record({ asOf: at(3), onHand: d('90'), available: d('80'), problem: 'it does not add up' });
  await record({ asOf: at(4), onHand: d('90'), reserved: d('10'), available: d('80') });
  expect(await store.history.readings('main', 'P-1')).toEqual([
    { atMs: 1_000_000, part: '', before: null, after: '100', asOf: at(0) },
    { atMs: 1_000_000, part: '', before: '100', after: '90', asOf: at(2) },
    { atMs: 1_000_000, part: '', before: '90', after: null, asOf: at(3) },
    { atMs: 1_000_000, part: '', before: null, after: '80', asOf: at(4) },
  ]);
});

test('stock history records orders when they are counted elsewhere, or with another quantity', async () => {
  const { store } = shelf();
  const seen = (minute: number, changes: Parameters<typeof order>[0]) =>
    store.orders.record(orderBatch([order({ modified: at(minute), ...changes })]));
  const two = [line(), line({ id: 2, quantity: d('1.5') })];
  await seen(0, { lines: two });
  await seen(1, { lines: two, status: 'Accepted' });
  await seen(2, { lines: two, status: 'Accepted', deliveryState: 'NV' });
  await seen(3, { lines: [line({ quantity: d('9') })], status: 'Accepted' });
  await seen(4, { lines: [line({ quantity: d('9') })], status: 'Fulfilled' });
  // The line was added after Accepted, so it is counted nowhere.
  await seen(5, { lines: [line({ quantity: d('9') }), line({ id: 3 })], status: 'Fulfilled' });
  await seen(6, { lines: null, status: 'Rejected' });
  const rows = await store.history.orders('main', 70);
  expect(rows.map(({ part, before, after }) => [part, before, after])).toEqual([
    ['o-1', null, 'reserved 8.5'],
    ['o-1', 'reserved 8.5', 'reserved 9'],
    ['o-1', 'reserved 9', 'consumed 9'],
    ['o-1', 'consumed 9', null],
  ]);
});

test('stock history records whether the ERP holds units for orders besides the named ones', async () => {
  const { store } = shelf();
  const beside = (skus: readonly string[], ids: readonly string[]) => store.history.isHeldBeside('main', skus, ids);
  const own = erpOrder({ id: 'E-9', reference: '', origin: 'erp' });
  await store.erp.recordOrders('main', [erpOrder(), own], 'poll');
  expect(await beside(['SB-1'], ['E-1', 'E-9'])).toBe(false);
  expect(await beside(['SB-1'], ['E-1'])).toBe(true);
  expect(await beside(['SB-2'], ['E-1'])).toBe(false);
  expect(await store.history.isHeldBeside('other', ['SB-1'], ['E-1'])).toBe(false);
  await store.erp.recordOrders('main', [{ ...own, status: 'shipped', changedAt: at(2) }], 'poll');
  expect(await beside(['SB-1'], ['E-1'])).toBe(false);
});

test('stock history records the status of an order on each side, and its deletion', async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order({})]));
  await store.orders.record(orderBatch([order({ modified: at(1), status: 'Accepted' })]));
  await store.orders.record(orderBatch([order({ modified: at(2), status: 'Accepted', deliveryState: 'NV' })]));
  await store.erp.recordOrders('main', [erpOrder({ id: 'o-1', status: 'reserved' })], 'poll');
  await store.erp.dropOrders('main', ['o-1'], { asOf: at(4), lane: 'poll' });
  const textOf = async (side: 'marketplace' | 'erp') =>
    (await store.history.statuses('main', side, 'o-1')).map(({ before, after }) => `${before} ${after}`);
  expect(await textOf('marketplace')).toEqual(['null Submitted', 'Submitted Accepted']);
  expect(await textOf('erp')).toEqual(['null reserved', 'reserved gone']);
});

test("stock history records the ERP's count for an order by SKU, with the order's number on the marketplace", async () => {
  const { store } = shelf();
  const record = (changes: Parameters<typeof erpOrder>[0]) =>
    store.erp.recordOrders('main', [erpOrder(changes)], 'poll');
  const unitPrice = d('12.50');
  await record({ status: 'draft' });
  await record({ status: 'reserved', changedAt: at(1) });
  await record({ status: 'shipped', changedAt: at(2) });
  await record({ status: 'cancelled', changedAt: at(3) });
  await record({ id: 'E-2', reference: 'E-2', origin: 'erp', lines: [{ sku: 'SB-1', quantity: d('2'), unitPrice }] });
  await record({ id: 'E-3', reference: 'E-3', origin: 'erp', lines: [{ sku: 'SB-1', quantity: d('3'), unitPrice }] });
  await link('order', 'o-2', 'E-2');
  const rows = await store.history.holdings('main', 'SB-1');
  expect(
    rows.map(({ part, number, origin, before, after, asOf }) => [part, number, origin, before, after, asOf]),
  ).toEqual([
    ['E-1', 'o-1', 'marketplace', '0', '7', at(1)],
    ['E-1', 'o-1', 'marketplace', '7', '0', at(3)],
    ['E-2', 'o-2', 'erp', '0', '2', at(0)],
    ['E-3', null, 'erp', '0', '3', at(0)],
  ]);
});

test('stock history names the listed products with records, and its time span', async () => {
  const { store } = shelf();
  await link('product', '70', 'P-1');
  await link('product', '71', 'P-2');
  await link('product', '72', 'P-3');
  expect(await store.history.span('main', 0)).toBeNull();
  await store.orders.record(orderBatch([order()]));
  shelf().nowMs = 2_000_000;
  const rows = [stockRow({ productId: 'P-2' }), stockRow({ productId: 'not listed' })];
  await store.erp.recordStock('main', rows, 'poll');
  expect(await store.history.productIds('main', '', 10)).toEqual(['P-1', 'P-2']);
  expect(await store.history.productIds('main', 'P-1', 10)).toEqual(['P-2']);
  expect(await store.history.productIds('other', '', 10)).toEqual([]);
  expect(await store.history.span('main', 0)).toEqual({ fromMs: 1_000_000, toMs: 2_000_000, readings: 2, orders: 1 });
  expect(await store.history.span('main', 1_500_000)).toMatchObject({ fromMs: 2_000_000, readings: 2, orders: 0 });
  await store.history.prune(1_500_000);
  expect(await store.history.productIds('main', '', 10)).toEqual(['P-2']);
});

test('a strategy counts as changed when it replaces another, not when it is the first', async () => {
  const { store } = shelf();
  await store.strategies.comeIntoForce('main', 'submitted-available', 'the daemon');
  expect(await store.history.strategyChangedAtMs('main')).toBeNull();
  shelf().nowMs = 3_000_000;
  await store.strategies.comeIntoForce('main', 'fulfilled-quantity', 'the daemon');
  expect(await store.history.strategyChangedAtMs('main')).toBe(3_000_000);
});

test('a pass over unchanged products adds nothing to the stock history', async () => {
  const { store } = shelf();
  const rows = (minute: number) =>
    Array.from({ length: 2_000 }, (_, index) =>
      stockRow({ productId: `P-${index}`, sku: `SB-${index}`, asOf: at(minute) }),
    );
  await store.erp.recordStock('main', rows(0), 'poll');
  const { readings } = (await store.history.span('main', 0)) ?? {};
  expect(readings).toBe(2_000);
  await store.erp.recordStock('main', rows(1), 'poll');
  await store.orders.record(orderBatch([order()]));
  await store.orders.record(orderBatch([order({ modified: at(1) })]));
  expect(await store.history.span('main', 0)).toMatchObject({ readings: 2_000, orders: 1 });
});
