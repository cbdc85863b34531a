import { expect, test } from 'vitest';
import { TAKEN_SKUS, takenSkus } from '../../../src/store/erp.ts';
import { causeOf } from '../../support/causes.ts';
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
} from '../shelf.ts';

const shelf = useShelf();
const LINK = { account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' } as const;

test('a list that was read completely replaces the previous one', async () => {
  const { names } = shelf().store;
  const named = (id: number, name: string) => ({ id, name, parentId: null });
  expect(await names.replace('main', 'brand', [named(1, 'Oak'), named(2, 'Elm')])).toBe(true);
  expect(await names.replace('main', 'brand', [named(2, 'Elm'), named(1, 'Oak')])).toBe(false);
  expect(await names.list('main', 'brand', 10)).toEqual([named(2, 'Elm'), named(1, 'Oak')]);
  await names.replace('main', 'brand', [named(2, 'Elm')]);
  expect(await names.find('main', 'brand', ' ELM ')).toEqual([named(2, 'Elm')]);
  expect(await names.list('main', 'category', 10)).toEqual([]);
});

test('images are due by the time of their last fetch, failed ones first', async () => {
  const { images } = shelf().store;
  const image = (url: string, failure: string | null) =>
    images.recordErpImage({ account: 'main', productId: 'P-1', url, hash: null, etag: null, failure });
  for (const url of ['a', 'b']) {
    await image(url, null);
    shelf().nowMs += 1;
  }
  await image('c', 'not found');
  const nowMs = shelf().nowMs;
  const due = async (foundByMs: number, failedByMs: number) => {
    const found = await images.erpImagesDue('main', { foundByMs, failedByMs }, 10);
    return found.map(({ url }) => url);
  };
  expect([await due(nowMs, nowMs), await due(nowMs - 2, nowMs - 1)]).toEqual([['c', 'a', 'b'], ['a']]);
  await images.forgetErpImages('main', 'P-1', ['a', 'c']);
  expect(await due(nowMs, nowMs)).toEqual(['b']);
  await images.recordListingImages([{ account: 'main', id: 1, listingId: 70, position: 0, hash: 'x' }]);
  await images.forgetListingImages('main', [1]);
  expect(await images.ofListing('main', 70)).toEqual([]);
});

test('a product with its listing and its images is observed', async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link(LINK);
  await store.images.recordListingImages([{ account: 'main', id: 1, listingId: 70, position: 0, hash: 'x' }]);
  const rows = await store.observe.images('main', 'P-1');
  expect(rows).toMatchObject({ erp: { id: 'P-1' }, listing: { id: 70 }, placed: [{ id: 1 }], found: [] });
});

test('an ERP order is observed with its customer and its products', async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.erp.recordOrders('main', [erpOrder({ origin: 'erp', reference: 'E-1' })], 'poll');
  await store.mappings.link({ ...LINK, kind: 'customer', marketplaceId: '5', erpId: 'C-5' });
  const rows = await store.observe.orderOut('main', 'E-1');
  expect(rows).toMatchObject({ erpOrder: { id: 'E-1' }, linkedNumber: null, customerId: '5', createInDoubt: false });
  expect(rows.products.get('SB-1')).toMatchObject({ erp: { id: 'P-1' }, listing: null });
});

test('`collections` names the collections that were read', async () => {
  const { cursors } = shelf().store;
  const window = { account: 'main', from: null, to: at(1), rows: 1, finding: null, cursor: at(1) };
  await cursors.record({ ...window, collection: 'orders' });
  await cursors.record({ ...window, collection: 'customers', cursor: null });
  expect(await cursors.collections('main')).toEqual(['customers', 'orders']);
  expect(await cursors.all()).toMatchObject([{ account: 'main', collection: 'orders', value: at(1) }]);
});

test('an order or a listing of which only the date differs counts as stored', async () => {
  const { orders, products } = shelf().store;
  await orders.record(orderBatch([order()]));
  await products.record(productBatch([product()]));
  expect(await orders.isAsKnown('main', order({ modified: at(5), lines: null }))).toBe(true);
  expect(await orders.isAsKnown('main', order({ status: 'Accepted' }))).toBe(false);
  expect(await orders.isAsKnown('main', order({ number: 'o-9' }))).toBe(false);
  expect(await products.isAsKnown('main', product({ modified: at(5) }))).toBe(true);
  expect(await products.isAsKnown('main', product({ name: 'Other' }))).toBe(false);
});

test('a line that was added after an order was accepted is late, and counted nowhere', async () => {
  const { orders } = shelf().store;
  await orders.record(orderBatch([order({ status: 'Fulfilled' })]));
  shelf().nowMs += 5;
  const lines = [line(), line({ id: 2, quantity: d('3') })];
  await orders.record(orderBatch([order({ status: 'Fulfilled', modified: at(1), lines })]));
  expect((await orders.lateLines('main', 70)).map(({ id }) => id)).toEqual([2]);
  expect(await orders.movedAtMs('main', 70)).toBe(shelf().nowMs);
  expect(await orders.movedAtMs('main', 99)).toBe(0);
});

test('ERP products are stored with the time of their change, their former SKUs, and whether their stock is known', async () => {
  const { erp } = shelf().store;
  await erp.recordProducts('main', [erpProduct(), erpProduct({ id: 'P-2', sku: 'SB-2' })], {
    listing: 1,
    lane: 'poll',
  });
  const tick = await erp.productsChangedTick('main');
  await erp.recordStock('main', [stockRow()], 'poll');
  expect(await erp.soldWithStock('main')).toEqual({ sold: 2, stocked: ['P-1'] });
  await erp.recordProducts('main', [erpProduct({ sku: 'SB-9', changedAt: at(1) })], { listing: null, lane: 'poll' });
  expect(await erp.productsChangedTick('main')).toBeGreaterThan(tick);
  expect(await erp.formerSkus('main', 'P-1')).toEqual(['SB-1']);
});

test('an order made in the ERP under the number of a cancelled one is no duplicate of it', async () => {
  const { erp, mappings, orders } = shelf().store;
  await orders.record(orderBatch([order()]));
  const made = [erpOrder({ status: 'cancelled' }), erpOrder({ id: 'E-2', origin: 'erp' })];
  await erp.recordOrders('main', made, 'poll');
  await mappings.link({ ...LINK, kind: 'order', marketplaceId: 'o-1', erpId: 'E-1' });
  expect((await erp.holdings('main', 70)).get('o-1')?.id).toBe('E-1');
});

test('an open order is due when one of its products has another SKU in the ERP', async () => {
  const { erp, mappings, orders, work } = shelf().store;
  await orders.record(orderBatch([order(), order({ number: 'o-2', status: 'Shipped' })]));
  await mappings.link({ ...LINK, kind: 'product', marketplaceId: '70', erpId: 'P-1' });
  const record = (sku: string, minute: number) =>
    erp.recordProducts('main', [erpProduct({ sku, changedAt: at(minute) })], { listing: null, lane: 'poll' });
  await record('SB-1', 1);
  const due = async () => (await work.due('main', 100)).filter(({ reason }) => reason.includes('renamed'));
  expect(await due()).toEqual([]);
  await record('SB-9', 2);
  expect((await due()).map(({ flow, key }) => [flow, key])).toEqual([['order-in', 'o-1']]);
});

test('a SKU that two products have is recorded with the one that got it last', async () => {
  const { erp, facts } = shelf().store;
  const taken = async () => Object.fromEntries(takenSkus(await facts.get('main', TAKEN_SKUS)));
  const record = (id: string, sku: string, minute: number) =>
    erp.recordProducts('main', [erpProduct({ id, sku, changedAt: at(minute) })], { listing: null, lane: 'poll' });
  await record('P-1', 'SB-1', 1);
  await record('P-2', 'SB-2', 1);
  expect(await taken()).toEqual({});
  await record('P-2', 'SB-1', 2);
  expect(await taken()).toEqual({ 'SB-1': 'P-2' });
  await record('P-3', 'SB-3', 2);
  await record('P-3', 'SB-1', 3);
  expect(await taken()).toEqual({ 'SB-1': 'P-3' });
});

test("the ERP's reservations for the orders of a listing are found, with duplicates of linked orders", async () => {
  const { erp, mappings, orders } = shelf().store;
  await orders.record(orderBatch([order(), order({ number: 'o-2' })]));
  await erp.recordOrders('main', [erpOrder(), erpOrder({ id: 'E-2' })], 'poll');
  await mappings.link({ ...LINK, kind: 'order', marketplaceId: 'o-1', erpId: 'E-1' });
  await mappings.link({ ...LINK, kind: 'order', marketplaceId: 'o-2', erpId: 'E-9' });
  const holdings = await erp.holdings('main', 70);
  expect(holdings.get('o-1')).toMatchObject({
    id: 'E-1',
    status: 'reserved',
    lines: [{ sku: 'SB-1', quantity: d('7') }],
  });
  expect(holdings.get('o-2')).toBeNull();
  expect((await erp.otherOrders('main', { marketplaceId: 'o-1', erpId: 'E-1' })).map(({ id }) => id)).toEqual(['E-2']);
});

test.each([
  ['gone', 'E-9', ['reserved', 'reserved'], 'E-1'],
  ['cancelled', 'E-1', ['cancelled', 'reserved'], 'E-2'],
  ['cancelled as well as its copy', 'E-2', ['cancelled', 'cancelled'], 'E-2'],
  ['not linked yet, and was cancelled and copied', null, ['cancelled', 'reserved'], 'E-2'],
] as const)(
  'where the ERP order is %s, its open duplicate holds the units',
  async (_name, linked, [first, second], holds) => {
    const { erp, mappings, orders } = shelf().store;
    await orders.record(orderBatch([order()]));
    await erp.recordOrders('main', [erpOrder({ status: first }), erpOrder({ id: 'E-2', status: second })], 'poll');
    if (linked !== null) await mappings.link({ ...LINK, kind: 'order', marketplaceId: 'o-1', erpId: linked });
    expect((await erp.holdings('main', 70)).get('o-1')?.id).toBe(holds);
  },
);

test('an invalid row is stored under its name until it is valid', async () => {
  const { invalidRows } = shelf().store;
  await invalidRows.record('main', 'erp-stock', [{ what: 'P-1 at EAST', path: 'on_hand', message: 'no number' }]);
  expect((await shelf().store.observe.stock('main', 'P-1', [])).invalidErpRow).toMatchObject({ path: 'on_hand' });
  expect(await invalidRows.get('main', 'erp-stock', 'P-1')).toBeNull();
});

test('listings with measurements are counted, and those with commands under way are found', async () => {
  const { measurements, reconciles } = shelf().store;
  const place = { listingId: 70, facilityId: 1, batchId: 1 };
  const rows = [{ ...place, onHand: d('5'), reserved: d('0'), available: d('5') }];
  const read = { account: 'main', rows, asked: [70, 71], unread: new Set<number>(), absenceCounts: true };
  await measurements.record({ ...read, tick: 1, askedAtMs: 1, lane: 'poll' });
  expect(await measurements.count('main')).toBe(1);
  expect(await measurements.wanted('main', 10)).toEqual([]);
  const id = await reconciles.open({ ...place, account: 'main', key: 'P-1', toQuantity: d('9'), reserved: d('0') });
  expect(await measurements.wanted('main', 10)).toEqual([70]);
  await reconciles.accepted(id, 42);
  shelf().nowMs += 5;
  await reconciles.lookedAt(id, causeOf('nobody knows'));
  const lookedAtMs = shelf().nowMs;
  expect(await reconciles.latest('main', 'P-1')).toMatchObject([{ commandId: 42, lookedAtMs, state: 'in-doubt' }]);
});

test('the commands that failed in a row to set the same figure are counted by facility', async () => {
  const { reconciles } = shelf().store;
  const end = async (toQuantity: string, failure: string | null, facilityId = 1) => {
    const place = { listingId: 70, facilityId, batchId: 1 };
    const id = await reconciles.open({
      ...place,
      account: 'main',
      key: 'P-1',
      toQuantity: d(toQuantity),
      reserved: d('0'),
    });
    await reconciles.settle(id, failure === null ? 'applied' : 'refused', { evidence: causeOf('ended'), failure });
    return (await reconciles.latest('main', 'P-1')).map(({ place: shown, failures }) => [shown, failures]);
  };
  expect(await end('9', 'locked')).toEqual([['1/1', 1]]);
  expect(await end('9.00', 'locked')).toEqual([['1/1', 2]]);
  expect(await end('9', 'locked', 2)).toEqual(
    expect.arrayContaining([
      ['1/1', 2],
      ['2/1', 1],
    ]),
  );
  expect(await end('8', 'locked')).toEqual(expect.arrayContaining([['1/1', 1]]));
  expect(await end('8', null)).toEqual(expect.arrayContaining([['1/1', 0]]));
});

test('invalid rows are all counted by collection, and can be listed in order', async () => {
  const { invalidRows } = shelf().store;
  const found = (what: string) => ({ what, path: 'price', message: `bad price of ${what}` });
  await invalidRows.record('main', 'erp-products', [found('P-2'), found('P-1')]);
  await invalidRows.record('main', 'erp-orders', [found('E-1')]);
  expect(await invalidRows.groups('main')).toMatchObject([
    { collection: 'erp-orders', count: 1, first: found('E-1') },
    { collection: 'erp-products', count: 2, first: found('P-1') },
  ]);
  const after = await invalidRows.list('main', { collection: 'erp-products', what: 'P-1' });
  expect(after.map(({ what }) => what)).toEqual(['P-2']);
});

test('a collection that is reset counts as never read', async () => {
  const { cursors } = shelf().store;
  const window = { account: 'main', from: null, to: at(1), rows: 1, finding: null, cursor: at(1) };
  await cursors.record({ ...window, collection: 'orders' });
  await cursors.record({ ...window, collection: 'products' });
  await cursors.forget('main', 'orders');
  expect([await cursors.get('main', 'orders'), await cursors.windows('main', 'orders')]).toEqual([null, []]);
  expect(await cursors.get('main', 'products')).toMatchObject({ value: at(1) });
  expect(await cursors.windows('main', 'products')).toHaveLength(1);
});

test('a list with too many invalid rows is not stored', async () => {
  const { invalidRows } = shelf().store;
  const found = (from: number, count: number) =>
    Array.from({ length: count }, (_, row) => ({
      what: `row ${from + row}`,
      path: 'x'.repeat(5_000),
      message: 'junk',
    }));
  await invalidRows.record('main', 'orders', found(0, 10_000));
  await invalidRows.record('main', 'orders', found(0, 3));
  await expect(invalidRows.record('main', 'orders', found(9_999, 2))).rejects.toThrow('more than 10000 rows of orders');
  await invalidRows.record('main', 'products', found(0, 1));
  const groups = await invalidRows.groups('main');
  expect(groups.map(({ collection, count }) => [collection, count])).toEqual([
    ['orders', 10_000],
    ['products', 1],
  ]);
  expect(groups[0]?.first.path).toHaveLength(2_000);
});

test('invalid rows that were not seen for an hour make room for others', async () => {
  const { invalidRows } = shelf().store;
  const found = (from: number, count: number) =>
    Array.from({ length: count }, (_, row) => ({ what: `row ${from + row}`, path: '', message: 'junk' }));
  await invalidRows.record('main', 'orders', found(0, 10_000));
  shelf().nowMs += 59 * 60_000;
  await expect(invalidRows.record('main', 'orders', found(10_000, 1))).rejects.toThrow('do not fit');
  await invalidRows.record('main', 'orders', found(0, 9_500));
  shelf().nowMs += 2 * 60_000;
  await invalidRows.record('main', 'orders', found(10_000, 1));
  expect(await invalidRows.groups('main')).toMatchObject([{ count: 9_501 }]);
  expect(await invalidRows.get('main', 'orders', 'row 9600')).toBeNull();
  expect(await invalidRows.get('main', 'orders', 'row 9400')).not.toBeNull();
});
