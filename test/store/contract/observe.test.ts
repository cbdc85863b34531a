import { expect, test } from 'vitest';
import { UNDATED } from '../../../src/domain/ahead.ts';
import { at, erpOrder, erpProduct, line, order, orderBatch, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();

test('an observation reads a write completely or not at all', async () => {
  const { store } = shelf();
  await store.orders.record(orderBatch([order({ status: 'Submitted', lines: [line()] })]));
  const lines = [line(), line({ id: 2, productId: 71 })];
  const writing = store.orders.record(orderBatch([order({ status: 'Accepted', modified: order().modified, lines })]));
  const seen = [];
  for (let look = 0; look < 5; look += 1) seen.push(await store.observe.orderIn('main', 'o-1', []));
  await writing;
  seen.push(await store.observe.orderIn('main', 'o-1', []));
  const states = seen.map((rows) => `${rows.order?.order.status} ${rows.order?.lines?.length} ${rows.products.size}`);
  expect(new Set(states).difference(new Set(['Submitted 1 1', 'Accepted 2 2']))).toEqual(new Set());
  expect(states.at(-1)).toBe('Accepted 2 2');
});

test('an observation has the requested facts that exist', async () => {
  const { store } = shelf();
  await store.facts.set('main', 'read', 'yes');
  await store.facts.set('other', 'lost', 'yes');
  const { facts } = await store.observe.product('main', 'P-1', ['read', 'lost']);
  expect([...facts]).toEqual([['read', 'yes']]);
});

test('an unknown entity is observed as empty', async () => {
  const { observe } = shelf().store;
  expect(await observe.orderIn('main', 'o-9', [])).toMatchObject({ order: null, erpOrders: [], customer: null });
  expect(await observe.product('main', 'P-9', [])).toMatchObject({ erp: null, listing: null, twins: 0 });
  expect(await observe.stock('main', 'P-9', [])).toMatchObject({
    product: null,
    listing: null,
    lines: [],
    stock: null,
  });
  expect(await observe.paymentOut('main', 'PAY-9', [])).toMatchObject({ payment: null, orderNumber: null });
});

test("the ERP's verdict on an order is observed with its order, which its link marks", async () => {
  const { store } = shelf();
  const verdict = { status: 'approved', message: 'within the limit' };
  await store.erp.recordOrders(
    'main',
    [erpOrder({ id: 'E-1', origin: 'erp', reference: 'E-1', approval: verdict })],
    'poll',
  );
  expect(await store.observe.approvalOut('main', 'E-1', [])).toMatchObject({
    erpOrder: { approval: verdict },
    number: null,
  });
  await store.orders.record(orderBatch([order({ number: 'o-1' })]));
  await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'operator' });
  expect(await store.observe.approvalOut('main', 'E-1', [])).toMatchObject({ number: 'o-1', tellInDoubt: false });
  expect(await store.work.get({ account: 'main', flow: 'approval-out', key: 'E-1' })).not.toBeNull();
});

test('a linked listing is no candidate for another product', async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: 1, lane: 'poll' });
  await store.products.record(productBatch([product({ externalId: null })]));
  expect((await store.observe.product('main', 'P-1', [])).candidates.bySku).toMatchObject([{ stored: { id: 70 } }]);
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-2', how: 'operator' });
  expect((await store.observe.product('main', 'P-1', [])).candidates.bySku).toEqual([]);
});

test('an ordered product is observed with the orders that need it, and its candidates in the ERP', async () => {
  const { store } = shelf();
  const named = { sku: 'X-70', name: 'Lemon Gummies', externalId: null };
  await store.products.record(productBatch([product(named)]));
  await store.orders.record(orderBatch([order({ status: 'Submitted', lines: [line()] })]));
  const other = erpProduct({ id: 'P-8', sku: 'OLD-8', name: 'Lemon Gummies' });
  await store.erp.recordProducts('main', [other], { listing: 1, lane: 'poll' });
  const look = () => store.observe.productIn('main', 70, []);
  expect(await look()).toMatchObject({
    listing: { stored: { sku: 'X-70' } },
    mapping: null,
    orders: [{ number: 'o-1', status: 'Submitted' }],
    sameSku: [],
    alike: [{ id: 'P-8', by: ['name'] }],
    createInDoubt: false,
  });
  expect(await store.products.unlinkedIds('main', '', 10)).toEqual(['70']);
  await store.unlinked.tellApart({ account: 'main', listingId: 70, erpId: 'P-8' }, 'Ann');
  expect((await look()).alike).toEqual([]);
  const twin = erpProduct({ id: 'P-9', sku: 'X-70', name: 'Other' });
  await store.erp.recordProducts('main', [twin], { listing: 1, lane: 'poll' });
  expect((await look()).sameSku).toMatchObject([{ id: 'P-9' }]);
  await store.work.mark([{ account: 'main', flow: 'product-in', key: '70' }], 'poll', 'an order needs it');
  await store.work.hold({ account: 'main', flow: 'product-in', key: '70' }, 1, []);
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-9', how: 'operator' });
  expect((await look()).sameSku).toEqual([]);
  expect(await store.products.unlinkedIds('main', '', 10)).toEqual([]);
  expect(await store.work.get({ account: 'main', flow: 'product-in', key: '70' })).toMatchObject({ state: 'pending' });
  await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'operator' });
  expect((await look()).orders).toEqual([]);
});

test('the orders that wait for a product are the newest ones: a hundred old orders hide none of them', async () => {
  const { store } = shelf();
  const old = Array.from({ length: 100 }, (_, index) => order({ number: `o-${index}`, modified: at(0) }));
  const undated = order({ number: 'undated', modified: UNDATED });
  await store.orders.record(orderBatch([...old, order({ number: 'z-new', modified: at(5) }), undated]));
  const { orders } = await store.observe.productIn('main', 70, []);
  expect(orders.map(({ number }) => number).slice(0, 2)).toEqual(['undated', 'z-new']);
});
