import { expect, test } from 'vitest';
import { intervalOf } from '../../src/store/reading.ts';
import { read, standStill } from '../support/by-hand.ts';
import { openStage, type Stage, type StageOptions, until } from '../support/stage.ts';

let stage: Stage;

async function open(options: StageOptions = {}, products = 12): Promise<number> {
  stage = await openStage(options);
  stage.erp.control.seed(products);
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  return buyer;
}
/** The ERP's products are read and listed, and no complete listing has shown them yet. */
async function knownByIncompleteListings(products: number): Promise<void> {
  stage.erp.control.seed(products);
  stage.erp.control.inject({ kind: 'incomplete', keep: 1, path: '/v1/products', times: null });
  await stage.sync();
  expect(stage.marketplace.products()).toHaveLength(products);
  stage.erp.control.clearFaults();
}
const store = () => stage.store();
const archived = () =>
  stage.marketplace
    .products()
    .filter((listing) => listing.archived)
    .map(({ sku }) => sku);

for (const [name, fault] of [
  // An incomplete listing that lacks no more than a complete one may lack.
  ['is incomplete', { kind: 'incomplete', keep: 0.95, path: '/v1/products', times: null }],
  ['is empty', { kind: 'empty', path: '/v1/products', times: null }],
  ['shrank by more than a tenth', { kind: 'shrink', keep: 0.5, path: '/v1/products', times: null }],
  ['fails', { kind: 'status', status: 500, path: '/v1/products', times: null }],
  ['breaks off', { kind: 'truncate', path: '/v1/products', times: null }],
] as const) {
  test(`I5: a listing of the ERP that ${name} archives nothing`, async () => {
    await open();
    stage.erp.control.inject(fault);
    await stage.sync();
    await stage.sync();
    expect(archived()).toEqual([]);
  });
}

test.each([
  ['is empty', { kind: 'empty', path: '/v1/products', times: null }],
  ['lacks half', { kind: 'shrink', keep: 0.5, path: '/v1/products', times: null }],
] as const)('I5: the first full list of the ERP archives nothing when it %s', async (_, fault) => {
  stage = await openStage();
  await knownByIncompleteListings(12);
  stage.erp.control.inject(fault);
  await stage.sync();
  await stage.sync();
  expect(archived()).toEqual([]);
});

test('I5: a list that is empty like the previous one archives nothing that was added in between', async () => {
  await open({}, 0);
  await knownByIncompleteListings(12);
  stage.erp.control.inject({ kind: 'empty', path: '/v1/products', times: null });
  await stage.sync();
  await stage.sync();
  expect(archived()).toEqual([]);
});

test('I5: a list of as many other products archives nothing', async () => {
  await open();
  const skus = stage.erp.control.state().products.map(({ sku }) => sku);
  for (const sku of skus) stage.erp.control.removeProduct(sku);
  stage.erp.control.addProducts(skus.map((sku) => ({ sku: `X-${sku}`, name: `X ${sku}`, on_hand: '3' })));
  await stage.sync();
  await stage.sync();
  expect(archived()).toEqual([]);
  expect(await store().facts.get('main', 'alert:erp:listing')).toMatch(/"code":"erp-products-short"/);
});

test('I5: products that the ERP does not sell may leave its list, and no alert stays', async () => {
  await open();
  const skus = stage.erp.control.state().products.map(({ sku }) => sku);
  for (const sku of skus.slice(0, 8)) stage.erp.control.setProduct(sku, { active: false });
  await stage.sync();
  for (const sku of skus.slice(0, 8)) stage.erp.control.removeProduct(sku);
  await stage.sync();
  expect(await store().facts.get('main', 'alert:erp:listing')).toBeNull();
  stage.erp.control.removeProduct(skus[8] ?? '');
  await stage.sync();
  expect(archived()).toContain(skus[8]);
});

test('I5: a list of changes that the ERP calls incomplete is requested again from its start', async () => {
  const buyer = await open();
  const context = await standStill(stage);
  const order = stage.erp.control.createOrder({
    customer: { marketplace_id: buyer },
    lines: [{ sku: 'SB-0001', quantity: '1', unit_price: '2.00' }],
  });
  const paths = { 'erp-products': '/v1/products', 'erp-stock': '/v1/stock', 'erp-orders': '/v1/orders' } as const;
  for (const [name, path] of Object.entries(paths)) {
    const cursor = await store().cursors.get('main', name);
    stage.erp.control.inject({ kind: 'incomplete', keep: 0, path });
    await read(context, `read:${name as keyof typeof paths}`);
    expect((await store().cursors.get('main', name))?.value, name).toBe(cursor?.value);
    await read(context, `read:${name as keyof typeof paths}`);
    expect((await store().cursors.get('main', name))?.value, name).not.toBe(cursor?.value);
  }
  expect(await store().erp.order('main', order.id)).not.toBeNull();
});

test('I5: an empty list of the ERP archives nothing, not even the only product there is', async () => {
  await open({}, 1);
  stage.erp.control.inject({ kind: 'empty', path: '/v1/products', times: null });
  await stage.sync();
  await stage.sync();
  expect(archived()).toEqual([]);
});

test('I5: a product that is absent from two full lists is archived, and listed again when it returns', async () => {
  await open();
  const [product] = stage.erp.control.state().products;
  stage.erp.control.removeProduct('SB-0001');
  await stage.sync();
  expect(archived()).toEqual(['SB-0001']);
  expect(product?.sku).toBe('SB-0001');
});

test('I5: a deactivated product is archived, and brought back when it is active again', async () => {
  await open();
  stage.erp.control.setProduct('SB-0002', { active: false });
  await stage.sync();
  expect(archived()).toEqual(['SB-0002']);
  stage.erp.control.setProduct('SB-0002', { active: true });
  await stage.sync();
  expect(archived()).toEqual([]);
  expect((await stage.sync()).written).toBe(0);
});

test('I5: unreadable or missing ERP stock is never written as zero', async () => {
  await open();
  const before = stage.marketplace.products().map(({ quantity }) => quantity);
  stage.erp.control.inject({ kind: 'empty', path: '/v1/stock', times: null });
  await stage.sync();
  stage.erp.control.inject({ kind: 'status', status: 503, path: '/v1/stock', times: null });
  await stage.sync();
  expect(stage.marketplace.products().map(({ quantity }) => quantity)).toEqual(before);
});

test('I6: without changes on both sides, a further pass writes nothing to either side', async () => {
  const buyer = await open();
  for (const product of [1, 2, 3]) {
    stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '2' }] });
  }
  await stage.sync();
  stage.marketplace.requestLog.reset();
  stage.erp.control.clearRequests();
  await stage.sync();
  const written = Object.keys(stage.marketplace.requestLog.counts()).filter((id) => !id.endsWith('.list'));
  expect(written).toEqual([]);
  expect(stage.erp.control.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('I7: with the real limits, no call is ever answered with 429', async () => {
  stage = await openStage({ limits: 'real' });
  stage.erp.control.seed(30);
  await stage.start();
  await until('all are listed', () => stage.marketplace.products().length === 30);
  expect(stage.marketplace.requestLog.statuses()[429] ?? 0).toBe(0);
  const [peaks] = Object.values(stage.marketplace.peaks());
  expect(peaks).toMatchObject({ second: expect.any(Number) });
});

test('I8: the windows that were read follow each other without a hole', async () => {
  const buyer = await open();
  for (let round = 0; round < 4; round += 1) {
    stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
    await stage.sync();
  }
  // Windows that touch are merged: without a hole there is only one window.
  const windows = await store().cursors.windows('main', 'orders');
  const newestModified = await store().orders.nthNewestModified('main', 1);
  expect(windows.map(intervalOf)).toEqual([{ from: null, to: newestModified }]);
  expect(windows[0]?.rows).toBeGreaterThan(4);
  const newest = stage.marketplace.orders().length;
  expect(await store().orders.numbers('main', '', 100)).toHaveLength(newest);
});

test('I9: the remaining work is rebuilt when Redis is wiped, and Redis may be down for a while', async () => {
  const buyer = await open();
  await stage.stop();
  const app = await stage.start();
  const numbers: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    numbers.push(
      stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1 + (n % 3), quantity: '1' }] }).number,
    );
    if (n % 3 === 0) await app.core.redis.flushall();
  }
  await until('all are in the ERP', () => numbers.every((number) => stage.erp.control.findOrders(number).length > 0));
  await until('all are marked', () => numbers.every((number) => stage.marketplace.order(number).externalId !== null));
  expect(stage.erp.control.state().orders).toHaveLength(8);
});

test('I10: every write is recorded with the old and new value, the reason and the answer', async () => {
  const buyer = await open({}, 2);
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
  await stage.sync();
  const writes = Object.entries(stage.marketplace.requestLog.counts()).filter(
    ([id]) => !id.endsWith('.list') && !id.endsWith('.get'),
  );
  const made = writes.reduce((total, [, count]) => total + count, 0);
  const posted = stage.erp.control.requests().filter(({ method }) => method !== 'GET').length;
  const journal = (await store().journal.after(0, 1_000)).filter(({ outcome }) => outcome === 'written');
  expect(journal).toHaveLength(made + posted);
  for (const entry of journal) expect(entry.why).not.toBe('');
  const ofOrder = await store().journal.of('main', 'order-in', number, 10);
  expect(ofOrder.map(({ action }) => action).toReversed()).toEqual([
    'customer-in.create',
    'order-in.create',
    'order-in.mark',
  ]);
});
