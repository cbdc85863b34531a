import { beforeEach, expect, test } from 'vitest';
import { told } from '../support/causes.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { refuseWrites } from '../support/tamper.ts';

let stage: Stage;
let buyer: number;

beforeEach(async () => {
  stage = await openStage();
  stage.erp.control.seed(4);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
});

const reasons = async () => (await stage.store().work.held()).map(({ heldFor }) => told(heldFor));
const listing = (sku: string) => stage.marketplace.productBySku(sku);

/** The rest goes on: another product's stock still moves. */
async function restGoesOn(): Promise<void> {
  stage.erp.control.setStock('SB-0004', '77');
  await stage.sync();
  expect(Number(listing('SB-0004').available)).toBe(77);
}

test('a price in another currency is held, and the rest goes on', async () => {
  stage.erp.control.setProduct('SB-0001', { price: { amount: '9.00', currency: 'EUR' } });
  await restGoesOn();
  expect(await reasons()).toEqual([expect.stringContaining('currency')]);
  expect(listing('SB-0001').price.currency).toBe('USD');
});

for (const amount of ['0', '-3.00']) {
  test(`a price of ${amount} is held`, async () => {
    stage.erp.control.inject({
      kind: 'invalid-row',
      key: 'SB-0001',
      set: { price: { amount, currency: 'USD' } },
      path: '/v1/products',
      times: null,
    });
    stage.erp.control.setProduct('SB-0001', { name: 'Changed' });
    await restGoesOn();
    expect(await reasons()).toEqual([expect.stringContaining('price-not-positive')]);
  });
}

test('a price that moves by more than the brake allows is held', async () => {
  const before = listing('SB-0001').price.amount;
  const price = { amount: String(Number(before) * 3), currency: 'USD' };
  stage.erp.control.setProduct('SB-0001', { price });
  await restGoesOn();
  expect(await reasons()).toEqual([expect.stringContaining('"brake":"price"')]);
  expect(listing('SB-0001').price.amount).toBe(before);
});

test("two ERP products with one SKU are both held, and their listing changes only when its own product's stock falls", async () => {
  const [first] = stage.erp.control.state().products;
  if (first === undefined) throw new Error('no product');
  stage.erp.control.addProducts([{ ...first, name: 'A twin', on_hand: '5' }]);
  stage.erp.control.setStock('SB-0001', '1');
  await restGoesOn();
  expect((await reasons()).every((reason) => reason === 'sku-twice {"sku":"SB-0001","count":2}')).toBe(true);
  expect(Number(listing('SB-0001').available)).toBe(1);
  stage.erp.control.setStock('SB-0001', '90');
  await restGoesOn();
  expect(Number(listing('SB-0001').available), 'it does not rise').toBe(1);
});

test('a product that was listed by hand meanwhile is not listed again, however late the marketplace lists it', async () => {
  stage.erp.control.addProducts([{ sku: 'NEW-1', name: 'New', on_hand: '3' }]);
  const { id } = stage.marketplace.createProduct({ sku: 'NEW-1', name: 'By hand', quantity: 1 });
  stage.marketplace.faults.set({ kind: 'delay-before', ms: 500, operation: 'products.list', times: 1 });
  await restGoesOn();
  expect(stage.marketplace.products().filter(({ sku }) => sku === 'NEW-1')).toMatchObject([{ id }]);
});

test('two listings with one SKU hold their product until one is linked', async () => {
  stage.erp.control.addProducts([
    {
      sku: 'NEW-1',
      name: 'New',
      description: '',
      price: { amount: '5.00', currency: 'USD' },
      unit_multiplier: '1',
      on_hand: '3',
    },
  ]);
  for (const name of ['One', 'Two']) stage.marketplace.createProduct({ sku: 'NEW-1', name, quantity: 1 });
  await restGoesOn();
  expect(await reasons()).toEqual([expect.stringContaining('several-listings {"sign":"SKU","value":"NEW-1"')]);
  expect(stage.marketplace.products().filter(({ sku }) => sku === 'NEW-1')).toHaveLength(2);
});

for (const [what, available] of [
  ['five decimals', '1.00001'],
  ['a huge figure', '999999999999'],
] as const) {
  test(`ERP stock with ${what} is held and not written`, async () => {
    const before = listing('SB-0001').available;
    stage.erp.control.inject({
      kind: 'invalid-row',
      key: 'SB-0001',
      set: { on_hand: available, reserved: '0', available },
      path: '/v1/stock',
      times: null,
    });
    stage.erp.control.setStock('SB-0001', '5');
    await restGoesOn();
    expect(await reasons()).toEqual([expect.stringContaining('SB-0001')]);
    expect(listing('SB-0001').available).toBe(before);
  });
}

test('an invalid ERP row is reported with its path, and the other rows are read', async () => {
  stage.erp.control.inject({
    kind: 'invalid-row',
    key: 'SB-0001',
    set: { price: { amount: 'dear', currency: 'USD' } },
    path: '/v1/products',
    times: null,
  });
  stage.erp.control.setProduct('SB-0001', { name: 'Changed' });
  await restGoesOn();
  expect(await stage.store().invalidRows.list('main')).toMatchObject([
    { collection: 'erp-products', path: 'price.amount' },
  ]);
  expect(listing('SB-0001').archived).toBe(false);
});

test('an order in another currency is held', async () => {
  const product = stage.marketplace.createProduct({
    sku: 'EUR-1',
    name: 'Dear',
    quantity: 5,
    wholesale_price: { amount: 5, currency: 'EUR' },
  });
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: product.id, quantity: '1' }] });
  await restGoesOn();
  expect(await reasons()).toEqual([expect.stringContaining('currency')]);
  expect(stage.erp.control.findOrders(number)).toEqual([]);
});

test('a held entity has the reason that is known when the pass ends, whatever was read first', async () => {
  const { id } = stage.marketplace.createProduct({ sku: 'OTHER-1', name: 'Not in the ERP', quantity: 5 });
  stage.marketplace.placeOrder({ customer: buyer, items: [{ product: id, quantity: '1' }] });
  stage.marketplace.faults.set({ kind: 'delay-before', ms: 500, operation: 'products.list', times: 1 });
  await stage.sync();
  expect(await reasons()).toEqual([expect.stringContaining(`"product":${id},"sku":"OTHER-1"`)]);
});

test('a refused API key stops the pass with what to do, and nothing is lost', async () => {
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
  stage.marketplace.faults.set({ kind: 'status-before', status: 401 });
  const result = await stage.sync();
  expect(result.failure).toMatchObject({ kind: 'credentials', side: 'marketplace' });
  expect((await stage.app().readiness()).reasons.join()).toContain('refuses the credentials');
  stage.marketplace.faults.clear();
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toHaveLength(1);
});

test('a database that cannot be written stops all writes with an error, and leaves no partial state', async () => {
  const endRefusal = refuseWrites(stage);
  stage.marketplace.requestLog.reset();
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: 1, quantity: '1' }] });
  await stage.sync().catch(() => undefined);
  expect((await stage.app().readiness()).reasons.join()).toContain('is the disk full?');
  expect(stage.erp.control.findOrders(number)).toEqual([]);
  expect(Object.keys(stage.marketplace.requestLog.counts()).filter((id) => !/list|get/.test(id))).toEqual([]);
  endRefusal();
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toHaveLength(1);
});
