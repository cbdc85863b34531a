import { expect, test } from 'vitest';
import { READS } from '../../src/shadow/collections.ts';
import { lastRead, recordReadTime } from '../../src/shadow/last-read.ts';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

let stage: Stage;

/** Only webhooks of products arrive: they tell of a reservation before anything tells of its order. */
async function open(strategy: 'b' | 'c') {
  stage = await openStage({ strategy });
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '12');
  const buyer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const product = marketplace.productBySku('SB-0001').id;
  const order = () => marketplace.placeOrder({ customer: buyer, items: [{ product, quantity: '3' }] });
  return { marketplace, product, order };
}

async function listenToProducts(): Promise<void> {
  await stage.stop();
  const app = await stage.start(['receive', 'work']);
  const url = `${app.receiverUrl}/webhooks/main/products`;
  stage.marketplace.webhooks.setTargets([{ url, types: ['product'], secret: WEBHOOK_SECRET }]);
}

/** The most that buyers could take at any moment until then. */
async function mostUntil(product: number, what: string, isTrue: () => Promise<boolean>): Promise<number> {
  const { marketplace } = stage;
  let most = 0;
  marketplace.onEvent(() => {
    most = Math.max(most, Number(marketplace.product(product).available));
  });
  await until(what, isTrue);
  const { store } = stage.app().core.state;
  await until('nothing is left to do', async () => (await store.work.pending('main')) === 0);
  return most;
}

test('the units that an unknown order has reserved are not sold again (available_inventory)', async () => {
  const { order, product } = await open('b');
  await listenToProducts();
  const { number } = order();
  const { store } = stage.app().core.state;
  const most = await mostUntil(
    product,
    'the order is known',
    async () => (await store.orders.get('main', number)) !== null,
  );
  expect(most).toBeLessThanOrEqual(9);
});

test('the units of an order that is not known to be fulfilled yet are not sold again (quantity)', async () => {
  const { marketplace, order, product } = await open('c');
  const { number } = order();
  marketplace.transition(number, 'accept');
  await stage.sync();
  await listenToProducts();
  marketplace.transition(number, 'fulfill');
  const { store } = stage.app().core.state;
  const most = await mostUntil(product, 'it is known to be fulfilled', async () => {
    return (await store.orders.get('main', number))?.order.status === 'Fulfilled';
  });
  expect(most).toBeLessThanOrEqual(9);
});

test('new stock of the ERP is not offered before the orders were read: an order may have taken some of this stock', async () => {
  const { product, order } = await open('b');
  await stage.stop();
  order();
  stage.erp.control.setStock('SB-0001', '20');
  await stage.start(['work']);
  const context = stage.context();
  const { store } = stage.app().core.state;
  const most = mostUntil(product, 'the stock was looked at', async () => {
    return Number((await store.erp.stock('main', 'P-000001'))?.available) === 20;
  });
  await READS['read:erp-stock'](context, { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) });
  expect(await most).toBeLessThanOrEqual(17);
  expect(Number(stage.marketplace.product(product).available)).toBe(17);
});

test('new stock of the ERP is not offered after a stop before the orders were read: buyers may have ordered meanwhile', async () => {
  const { product, order } = await open('b');
  await stage.stop();
  stage.erp.control.setStock('SB-0001', '20');
  await stage.start(['receive']);
  const context = stage.context();
  const look = { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) } as const;
  await READS['read:erp-stock'](context, look);
  await READS['read:orders'](context, look);
  order();
  // Dates the last read back, as if all that was a while ago.
  const { tick } = (await lastRead(context, 'orders')) ?? { tick: 0 };
  await recordReadTime(context, 'orders', { tick, atMs: Date.now() - 11_000 });
  await stage.stop();
  await stage.start(['work']);
  const most = await mostUntil(product, 'the stock was written', async () => {
    const listings = await stage.store().products.list('main', 0, 100);
    const listing = listings.find(({ sku }) => sku === 'SB-0001');
    return listing?.figures.available?.equals(17) === true || listing?.figures.available?.equals(20) === true;
  });
  expect(most).toBeLessThanOrEqual(17);
});

test('units that the ERP released are not sold again before its orders are read', async () => {
  const { marketplace, product, order } = await open('b');
  const { number } = order();
  await stage.sync();
  const [exported] = stage.erp.control.findOrders(number);
  stage.erp.control.cancelOrder(exported?.id ?? '');
  const { core } = stage.app();
  const context = stage.context();
  // The stock is read, and nothing else.
  const most = mostUntil(product, 'the stock was looked at', async () => {
    const stock = await core.state.store.erp.stock('main', 'P-000001');
    return Number(stock?.available) === 12;
  });
  await READS['read:erp-stock'](context, { key: 'all', lane: 'poll', signal: AbortSignal.timeout(600_000) });
  expect(await most).toBeLessThanOrEqual(9);
  expect(Number(marketplace.product(product).available)).toBe(9);
});

/** Several orders show as one reservation, and none of them is known. */
async function openReserved(orders: number) {
  const opened = await open('b');
  const context = await standStill(stage);
  for (let count = 0; count < orders; count += 1) opened.order();
  await read(context, 'read:products');
  return { ...opened, context };
}

test('two orders together explain a reservation that was seen before them', async () => {
  const { marketplace, product, context } = await openReserved(2);
  marketplace.requestLog.reset();
  expect(await reconcile(context, 'stock', 'P-000001')).toMatchObject({ state: 'in-sync', written: 0 });
  expect(marketplace.requestLog.counts()).toEqual({ 'orders.list': 1, 'products.list': 1 });
  expect(Number(marketplace.product(product).available)).toBe(6);
});

test('units that the ERP no longer has are subtracted although the listing cannot be read', async () => {
  const { marketplace, product, context } = await openReserved(2);
  await read(context, 'read:orders');
  stage.erp.control.setStock('SB-0001', '0');
  await read(context, 'read:erp-stock');
  marketplace.faults.set({ kind: 'status-before', status: 400, operation: 'products.list', times: 10 });
  expect(await reconcile(context, 'stock', 'P-000001')).toMatchObject({ written: 1 });
  expect(Number(marketplace.product(product).available)).toBe(0);
});

test('when one order explains the whole reservation, the figure is written once more and the listing is not read', async () => {
  const { marketplace, product, context } = await openReserved(1);
  marketplace.requestLog.reset();
  await reconcile(context, 'stock', 'P-000001');
  expect(marketplace.requestLog.counts()).toEqual({ 'orders.list': 1, 'products.patch': 1 });
  expect(Number(marketplace.product(product).available)).toBe(9);
});

test.each(['b', 'c'] as const)(
  'an order that is read before the answer to a write arrives is not undone by it (%s)',
  async (strategy) => {
    const { marketplace, product, order } = await open(strategy);
    const context = await standStill(stage);
    stage.erp.control.setStock('SB-0001', '10');
    await read(context, 'read:erp-stock');
    const call: typeof context.client.call = async (...asked) => {
      const answer = await context.client.call(...asked);
      if (asked[0] === 'products.patch' && marketplace.orders().length === 0) {
        order();
        await read(context, 'read:orders');
      }
      return answer;
    };
    let least = 12;
    marketplace.onEvent(() => {
      least = Math.min(least, Number(marketplace.product(product).available));
    });
    const slow = { ...context, client: { ...context.client, call } };
    await reconcile(slow, 'stock', 'P-000001');
    expect(await reconcile(slow, 'stock', 'P-000001')).toMatchObject({ state: 'in-sync', written: 0 });
    expect([least, Number(marketplace.product(product).available)]).toEqual([7, 7]);
  },
);
