import { afterEach, expect, test } from 'vitest';
import type { AccountContext } from '../../src/reconcile/context.ts';
import { read, reconcile, standStill, waitingFor } from '../support/by-hand.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const SKU = 'SB-0001';
const shown = () => {
  const { archived, available } = stage.marketplace.productBySku(SKU);
  return { archived, available: Number(available) };
};

/** A listing with 100 to sell, archived; nothing runs by itself. */
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

async function setStock(context: AccountContext, onHand: string): Promise<void> {
  stage.erp.control.setStock(SKU, onHand);
  await read(context, 'read:erp-stock');
}

/** What waits for the product's listing, now. */
const waits = async ({ store }: AccountContext, key: string) =>
  (await store.work.get({ account: 'main', flow: 'product', key }))?.reason;

test('a listing comes back with the stock of now, which is written while nobody sees it', async () => {
  const { context, key } = await openArchived();
  await setStock(context, '4');
  await tell(context, true);
  expect(await reconcile(context, 'product', key)).toMatchObject({
    state: 'held',
    reason: expect.stringContaining('comes back with its stock'),
  });
  expect(shown().archived).toBe(true);
  await reconcile(context, 'stock', key);
  expect(shown()).toEqual({ archived: true, available: 4 });
  expect(await waits(context, key)).toBe('its stock is in step');
  expect(await reconcile(context, 'product', key)).toMatchObject({ state: 'in-sync', written: 1 });
  expect(shown()).toEqual({ archived: false, available: 4 });
});

test('the daemon brings it back by itself', async () => {
  const { context } = await openArchived();
  await setStock(context, '4');
  await tell(context, true);
  await stage.stop();
  await stage.sync();
  expect(shown()).toEqual({ archived: false, available: 4 });
});

test('it does not come back while the ERP does not say its stock', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  const misfit = { what: key, path: 'on_hand', message: 'not a number' };
  await context.store.misfits.record('main', 'erp-stock', [misfit]);
  await reconcile(context, 'stock', key);
  expect(await reconcile(context, 'product', key)).toMatchObject({ state: 'held' });
  expect(shown().archived).toBe(true);
});

test('nor with a stock that fell while it waited for the quota', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  await reconcile(context, 'stock', key);
  const waiting = waitingFor(context, () => setStock(context, '0'));
  expect(await reconcile(waiting, 'product', key)).toMatchObject({ state: 'held' });
  await waiting.client.close();
  expect(shown().archived).toBe(true);
});

test('nor when the ERP has stopped it again meanwhile', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  await reconcile(context, 'stock', key);
  const waiting = waitingFor(context, () => tell(context, false));
  expect(await reconcile(waiting, 'product', key)).toMatchObject({ state: 'in-sync', written: 0 });
  await waiting.client.close();
  expect(shown().archived).toBe(true);
});

test('what somebody set in the archive is seen before it comes back', async () => {
  const { context, key } = await openArchived();
  await tell(context, true);
  await reconcile(context, 'stock', key);
  const { id } = stage.marketplace.productBySku(SKU);
  await context.client.call('products.patch', { path: { id }, body: { quantity: '999' } }, { lane: 'poll' });
  expect(await reconcile(context, 'product', key)).toMatchObject({ state: 'held' });
  await reconcile(context, 'stock', key);
  await reconcile(context, 'product', key);
  expect(shown()).toEqual({ archived: false, available: 100 });
});
