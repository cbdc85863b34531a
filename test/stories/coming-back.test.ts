import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { createStockReads } from '../../src/shadow/stock-reads.ts';
import { read, reconcile, standStill, waitingFor } from '../support/by-hand.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const SKU = 'SB-0001';
const shown = () => {
  const { archived, available } = stage.marketplace.productBySku(SKU);
  return { archived, available: Number(available) };
};

/** An archived listing with 100 units to sell. Nothing runs by itself. */
async function openArchived(): Promise<{ context: AccountContext; key: string }> {
  stage = await openStage();
  stage.erp.control.seed(2);
  stage.erp.control.setStock(SKU, '100');
  const context = await standStill(stage);
  const [product] = await context.store.erp.productsBySku('main', SKU);
  const key = product?.id ?? '';
  await tell(context, false);
  await reconcile(context, 'product', key);
  expect(shown()).toEqual({ archived: true, available: 100 });
  return { context, key };
}

async function tell(context: AccountContext, active: boolean): Promise<void> {
  stage.erp.control.setProduct(SKU, { active });
  await read(context, 'read:erp-products');
}

/** A context whose brakes allow no write of this kind. */
function without(context: AccountContext, kind: 'increase' | 'zero'): AccountContext {
  const limit = { pass: { count: 0, percent: null }, day: { count: 0, percent: null } };
  return { ...context, config: { ...context.config, brakes: { ...context.config.brakes, [kind]: limit } } };
}

async function setStock(context: AccountContext, onHand: string): Promise<void> {
  stage.erp.control.setStock(SKU, onHand);
  await read(context, 'read:erp-stock');
}

test('a listing leaves the archive with its present stock, in one write', async () => {
  const { context, key } = await openArchived();
  await setStock(context, '4');
  await tell(context, true);
  stage.marketplace.requestLog.reset();
  expect(await reconcile(context, 'product', key)).toMatchObject({
    state: 'held',
    causes: [{ code: 'comes-back-with-stock' }],
  });
  expect(shown().archived).toBe(true);
  expect(await reconcile(context, 'stock', key)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(shown()).toEqual({ archived: false, available: 4 });
  expect(stage.marketplace.requestLog.counts()['products.patch']).toBe(1);
  expect(await reconcile(context, 'product', key)).toMatchObject({ state: 'in-sync', written: 0 });
});

test('a listing gets the present SKU of its product before it leaves the archive, because another listing may have the former one', async () => {
  const { context, key } = await openArchived();
  stage.erp.control.renameProduct(SKU, 'N-900');
  stage.erp.control.setProduct('N-900', { active: true });
  await read(context, 'read:erp-products');
  expect(await reconcile(context, 'stock', key)).toMatchObject({ written: 0 });
  const seen = () => stage.marketplace.products().map(({ sku, archived }) => `${sku} ${archived}`)[0];
  expect(seen()).toBe(`${SKU} true`);
  expect(await reconcile(context, 'product', key)).toMatchObject({
    state: 'held',
    written: 1,
    causes: [{ code: 'comes-back-with-stock' }],
  });
  expect(seen()).toBe('N-900 true');
  const [entry] = await context.store.journal.of('main', 'product', key, 1);
  expect(entry).toMatchObject({ action: 'product.patch', before: `sku "${SKU}"`, after: 'sku "N-900"' });
  expect(await reconcile(context, 'stock', key)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(seen()).toBe('N-900 false');
});

test('a product that is sold again is listed with a stock that is read anew from the ERP', async () => {
  const { context, key } = await openArchived();
  stage.erp.control.setStock(SKU, '4');
  await tell(context, true);
  await reconcile(context, 'stock', key);
  expect(shown()).toEqual({ archived: false, available: 4 });
});

test('the daemon lists a product again by itself when it is sold again', async () => {
  const { context } = await openArchived();
  await setStock(context, '4');
  await tell(context, true);
  await stage.stop();
  await stage.sync();
  expect(shown()).toEqual({ archived: false, available: 4 });
});

test('a product that only its price kept archived is listed again once the price is valid', async () => {
  const { context, key } = await openArchived();
  const { work } = context.store;
  const { price } = stage.marketplace.productBySku(SKU);
  stage.erp.control.setProduct(SKU, { active: true, price: { ...price, amount: '0' } });
  await read(context, 'read:erp-products');
  expect(await reconcile(context, 'product', key)).toMatchObject({ causes: [{ code: 'price-not-positive' }] });
  expect(await reconcile(context, 'stock', key)).toMatchObject({ state: 'in-sync', written: 0 });
  const target = { account: 'main', flow: 'stock', key };
  await work.settle(target, (await work.get(target))?.version ?? 0);
  stage.erp.control.setProduct(SKU, { price: { ...price, amount: '5.00' } });
  await read(context, 'read:erp-products');
  await reconcile(context, 'product', key);
  expect(await work.get(target)).toMatchObject({ state: 'pending', reason: 'its listing comes back' });
  await reconcile(context, 'stock', key);
  expect(shown().archived).toBe(false);
});

test('a product is not listed again while the ERP states no stock, and is held for this reason', async () => {
  const { context, key } = await openArchived();
  stage.erp.control.setStock(SKU, '4');
  await tell(context, true);
  const readStock = async () => ({ items: [], invalidRows: [], asOf: null, complete: true });
  const ownReads = createStockReads();
  const silent: AccountContext = {
    ...context,
    erp: { ...context.erp, readStock } as unknown as AccountContext['erp'],
    readStock: (look, sku) => ownReads(silent, look, sku),
  };
  expect(await reconcile(silent, 'stock', key)).toMatchObject({
    state: 'held',
    causes: [{ code: 'erp-stock-unread' }],
  });
  expect(shown().archived).toBe(true);
  await reconcile(context, 'stock', key);
  expect(shown()).toEqual({ archived: false, available: 4 });
});

test('a product is not listed again while the product flow is paused, and is reconciled once the pause ends', async () => {
  const { context, key } = await openArchived();
  const { pauses, work } = context.store;
  await tell(context, true);
  await pauses.pause('main', 'product', 'season is over', 'me');
  const target = { account: 'main', flow: 'stock', key };
  const result = await reconcile(context, 'stock', key);
  const causes = [cause('product-paused', { reason: 'season is over' })];
  expect(result).toMatchObject({ state: 'held', causes });
  expect(shown().archived).toBe(true);
  await work.hold(target, (await work.get(target))?.version ?? 0, causes);
  await pauses.resume('main', 'product', 'me');
  expect((await work.get(target))?.state).toBe('pending');
});

test('a product is not listed again while its row in the ERP is unreadable', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  const invalidRow = { what: key, path: 'active', message: 'not a boolean' };
  await context.store.invalidRows.record('main', 'erp-products', [invalidRow]);
  expect(await reconcile(context, 'stock', key)).toMatchObject({ state: 'in-sync', written: 0 });
  expect(shown().archived).toBe(true);
});

test('a write that failed for good waits for an operator, however often its product is reconciled', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  const { work } = context.store;
  const target = { account: 'main', flow: 'stock', key };
  await work.fail(target, (await work.get(target))?.version ?? 0, 'marketplace-refused', 'no', 1);
  await reconcile(context, 'product', key);
  expect((await work.get(target))?.state).toBe('failed');
});

test('a listing that leaves the archive causes no drift', async () => {
  const { context, key } = await openArchived();
  await setStock(context, '4');
  await tell(context, true);
  await reconcile(context, 'stock', key);
  const actions = (await context.store.journal.of('main', 'stock', key, 20)).map(({ action }) => action);
  expect(actions.filter((action) => action.startsWith('drift'))).toEqual([]);
});

test('a product is listed again without the units of an order that is cancelled only in the ERP', async () => {
  stage = await openStage();
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  erp.control.setStock(SKU, '12');
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const items = [{ product: marketplace.productBySku(SKU).id, quantity: '3' }];
  const { number } = marketplace.placeOrder({ customer: buyer, items });
  const context = await standStill(stage);
  const key = (await context.store.erp.productsBySku('main', SKU))[0]?.id ?? '';
  await tell(context, false);
  await reconcile(context, 'product', key);
  erp.control.cancelOrder(erp.control.findOrders(number)[0]?.id ?? '');
  await tell(context, true);
  await read(context, 'read:erp-stock');
  await reconcile(context, 'stock', key);
  expect(shown()).toEqual({ archived: false, available: 9 });
});

test('a product is listed again without the units of an order that was placed just before the archiving', async () => {
  stage = await openStage();
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  erp.control.setStock(SKU, '12');
  const context = await standStill(stage);
  const key = (await context.store.erp.productsBySku('main', SKU))[0]?.id ?? '';
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  marketplace.placeOrder({ customer, items: [{ product: marketplace.productBySku(SKU).id, quantity: '3' }] });
  await tell(context, false);
  // The answer does not show the listing, so the reservation of the order is not seen.
  const call = async (id: string, request: never, options: never) => {
    const answer = await context.client.call(id as never, request, options);
    return id === 'products.archive' ? null : answer;
  };
  await reconcile({ ...context, client: { ...context.client, call } as AccountContext['client'] }, 'product', key);
  await tell(context, true);
  stage.marketplace.requestLog.reset();
  await reconcile(context, 'stock', key);
  expect(shown()).toEqual({ archived: false, available: 9 });
  expect(stage.marketplace.requestLog.counts()['products.patch']).toBe(1);
});

test.each(['100', '4', '100000'])(
  'a product is not listed again with %s units that the brake of increases holds',
  async (stock) => {
    const { context, key } = await openArchived();
    await setStock(context, stock);
    await tell(context, true);
    expect(await reconcile(without(context, 'increase'), 'stock', key)).toMatchObject({
      causes: [{ code: 'brake-plan', params: { brake: 'increase' } }],
    });
    expect(shown()).toEqual({ archived: true, available: 100 });
  },
);

test('a product with a stock of 0 is listed again although the brake of zeroings holds: buyers can buy none', async () => {
  const { context, key } = await openArchived();
  await setStock(context, '0');
  await tell(context, true);
  expect(await reconcile(without(context, 'zero'), 'stock', key)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(shown()).toEqual({ archived: false, available: 0 });
});

test('a product is listed again with the lower stock when the stock fell while the write waited for the quota', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  let calls = 0;
  const waiting = waitingFor(context, async () => {
    calls += 1;
    if (calls === 1) await setStock(context, '2');
  });
  await reconcile(waiting, 'stock', key);
  await waiting.client.close();
  expect(shown()).toEqual({ archived: false, available: 2 });
});

test('a product is not listed again when the ERP has stopped selling it while the write waited for the quota', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  const waiting = waitingFor(context, () => tell(context, false));
  expect(await reconcile(waiting, 'stock', key)).toMatchObject({ state: 'in-sync', written: 0 });
  await waiting.client.close();
  expect(shown().archived).toBe(true);
});

test('a marketplace that returns no figures of archived listings causes no endless writes', async () => {
  const { context, key } = await openArchived();
  await setStock(context, '4');
  await tell(context, true);
  const call = async (id: string, request: never, options: never) => {
    const answer = (await context.client.call(id as never, request, options)) as unknown as { id: number };
    return id === 'products.patch' ? { id: answer.id } : answer;
  };
  const sparse = { ...context, client: { ...context.client, call } as AccountContext['client'] };
  stage.marketplace.requestLog.reset();
  for (let i = 0; i < 3; i += 1) {
    await reconcile(sparse, 'stock', key);
    await reconcile(sparse, 'product', key);
  }
  expect(shown()).toEqual({ archived: false, available: 4 });
  expect(stage.marketplace.requestLog.counts()['products.patch']).toBe(1);
});
