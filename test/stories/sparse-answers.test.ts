import { expect, test } from 'vitest';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import type { FlowName } from '../../src/flows/flows.ts';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { openStage, type Stage, type StageOptions } from '../support/stage.ts';

let stage: Stage;

async function open(products: number, options: StageOptions = {}): Promise<AccountContext> {
  stage = await openStage(options);
  if (products > 0) stage.erp.control.seed(products);
  return standStill(stage);
}

const outcomes = async ({ store }: AccountContext, flow: FlowName, key: string) =>
  (await store.journal.of('main', flow, key, 20)).map(({ action, outcome }) => `${action} ${outcome}`);

type Shown = { readonly id: number; readonly sku: string };

/**
 * The marketplace answers this operation only with the id, and the read after it fails once (spec 1: answers may be partial).
 */
function sparse(context: AccountContext, operation: string, list: string): AccountContext {
  const call = async (id: string, request: never, options: never) => {
    const answer = await context.client.call(id as never, request, options);
    if (id !== operation) return answer;
    stage.marketplace.faults.set({ kind: 'status-before', status: 503, operation: list, times: 1 });
    return { id: (answer as { id: number }).id };
  };
  return { ...context, client: { ...context.client, call } as AccountContext['client'] };
}

test('a listing is not created twice when the read after it fails', async () => {
  const context = await open(0);
  stage.erp.control.addProducts([{ sku: 'NEW-1', name: 'New', on_hand: '3' }]);
  const key = stage.erp.control.state().products[0]?.id ?? '';
  await read(context, 'read:erp-products');
  const marketplace = sparse(context, 'products.create', 'products.list');
  await expect(reconcile(marketplace, 'product', key)).rejects.toThrow('503');
  expect(await outcomes(context, 'product', key)).toEqual(['product.create:create written']);
  expect(await reconcile(marketplace, 'product', key)).toMatchObject({ state: 'in-sync' });
  expect(stage.marketplace.products().map(({ sku }) => sku)).toEqual(['NEW-1']);
});

test('a listing is not created twice when the program ends before it has read what it created', async () => {
  const context = await open(0);
  stage.erp.control.addProducts([{ sku: 'NEW-1', name: 'New', on_hand: '3' }]);
  const key = stage.erp.control.state().products[0]?.id ?? '';
  await read(context, 'read:erp-products');
  await expect(reconcile(sparse(context, 'products.create', 'products.list'), 'product', key)).rejects.toThrow('503');
  await stage.stop();
  await stage.start([]);
  expect(await reconcile(stage.context(), 'product', key)).toMatchObject({ state: 'in-sync' });
  expect(stage.marketplace.products()).toHaveLength(1);
});

test('a customer is not created twice when the read after it fails', async () => {
  const context = await open(0, { account: '    customers: { to_marketplace: true }' });
  const { id } = stage.erp.control.addCustomer({ name: 'Corner Shop', license_number: 'L-1' });
  await read(context, 'read:erp-customers');
  const marketplace = sparse(context, 'customers.create', 'customers.list');
  await expect(reconcile(marketplace, 'customer-out', id)).rejects.toThrow('503');
  stage.marketplace.requestLog.reset();
  expect(await reconcile(marketplace, 'customer-out', id)).toMatchObject({ state: 'in-sync' });
  expect(stage.marketplace.requestLog.counts()['customers.create']).toBeUndefined();
});

test('a price that was written is recorded as written when the read after it fails', async () => {
  const context = await open(2);
  stage.erp.control.setProduct('SB-0001', { price: { amount: '12.00', currency: 'USD' } });
  await read(context, 'read:erp-products');
  const key = (await context.store.erp.productsBySku('main', 'SB-0001'))[0]?.id ?? '';
  await expect(reconcile(sparse(context, 'products.patch', 'products.list'), 'product', key)).rejects.toThrow('503');
  expect((await outcomes(context, 'product', key))[0]).toBe('product.price:price written');
});

test.each([
  ['nothing', () => null],
  ['its id alone', ({ id }: Shown) => ({ id })],
  ['its id and SKU', ({ id, sku }: Shown) => ({ id, sku })],
])('fields of an archived listing that the answer lacks stay unchanged: %s', async (_, shown) => {
  const context = await open(2);
  const key = (await context.store.erp.productsBySku('main', 'SB-0001'))[0]?.id ?? '';
  const { id } = stage.marketplace.productBySku('SB-0001');
  const before = await context.store.products.get('main', id);
  stage.erp.control.setProduct('SB-0001', { active: false });
  await read(context, 'read:erp-products');
  const call = async (operation: string, request: never, options: never) => {
    const answer = await context.client.call(operation as never, request, options);
    return operation === 'products.archive' ? shown(answer) : answer;
  };
  const marketplace = { ...context, client: { ...context.client, call } as AccountContext['client'] };
  expect(await reconcile(marketplace, 'product', key)).toMatchObject({ state: 'in-sync', written: 1 });
  const { name, price, externalId, figures } = before ?? {};
  expect(await context.store.products.get('main', id)).toMatchObject({
    archived: true,
    name,
    price,
    externalId,
    figures,
  });
});

test('a reject is not recorded when the read before it fails', async () => {
  const context = await open(2, { marketplace: '      transitions: { reject: reject }' });
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = stage.marketplace.productBySku('SB-0001').id;
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '1' }] });
  await read(context, 'read:orders');
  await reconcile(context, 'order-in', number);
  const { erpId } = (await context.store.mappings.byMarketplaceId('main', 'order', number)) ?? {};
  stage.erp.control.cancelOrder(erpId ?? '');
  await read(context, 'read:erp-orders');
  const before = await outcomes(context, 'order-in', number);
  stage.marketplace.faults.set({ kind: 'status-before', status: 429, operation: 'orders.get', times: 1 });
  await expect(reconcile(context, 'order-in', number)).rejects.toThrow('429');
  expect(await outcomes(context, 'order-in', number)).toEqual(before);
  await reconcile(context, 'order-in', number);
  expect((await outcomes(context, 'order-in', number))[0]).toBe('order-in.transition:reject written');
});

test.each(['quantity', 'available_inventory'])(
  'a read during a write of %s that is answered without figures does not undo the write',
  async (field) => {
    const context = await open(2, { inventory: `write: ${field}` });
    const SKU = 'SB-0001';
    const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    const { id: product } = stage.marketplace.productBySku(SKU);
    const key = (await context.store.erp.productsBySku('main', SKU))[0]?.id ?? '';
    stage.erp.control.setStock(SKU, '33');
    await read(context, 'read:erp-stock');
    let patched = 0;
    const call = async (id: string, request: never, options: never) => {
      const answer = (await context.client.call(id as never, request, options)) as unknown as { id: number };
      if (id !== 'products.patch') return answer;
      patched += 1;
      if (patched === 1) {
        stage.marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '9' }] });
        await read(context, 'read:orders');
        await read(context, 'read:products');
      }
      return { id: answer.id };
    };
    const sparsely = { ...context, client: { ...context.client, call } as AccountContext['client'] };
    expect(await reconcile(sparsely, 'stock', key)).toMatchObject({ state: 'in-sync' });
    const { reserved, available } = stage.marketplace.productBySku(SKU);
    expect([Number(reserved), Number(available)]).toEqual([9, 24]);
    const shadow = await context.store.products.get('main', product);
    expect(shadow?.figures.reserved?.toFixed()).toBe('9');
  },
);
