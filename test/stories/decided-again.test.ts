import { expect, test } from 'vitest';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import type { ProductFields } from '../../src/sandbox/erp/records.ts';
import type { ReadName } from '../../src/shadow/collections.ts';
import { read, reconcile, standStill, waitingFor } from '../support/by-hand.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const SKU = 'SB-0001';

const CREATE = { sku: 'NEW-1', name: 'New', on_hand: '10' };

async function open(): Promise<AccountContext> {
  stage = await openStage();
  stage.erp.control.seed(2);
  return standStill(stage);
}

/** The ERP changes its product, and the change is read. */
async function told(context: AccountContext, fields: ProductFields): Promise<void> {
  stage.erp.control.setProduct(SKU, fields);
  await read(context, 'read:erp-products');
}

async function look(context: AccountContext, flow: 'product' | 'stock') {
  const [product] = await context.store.erp.productsBySku('main', SKU);
  return reconcile(context, flow, product?.id ?? '');
}

const shown = () => {
  const { archived, price } = stage.marketplace.productBySku(SKU);
  return { archived, price: price.amount };
};
const writes = () =>
  Object.entries(stage.marketplace.requestLog.counts()).filter(([operation]) => /patch|archive|create/.test(operation));

const CHANGES: readonly [string, ProductFields, ProductFields][] = [
  ['archived', { active: false }, { active: true }],
  ['given another price', { price: { amount: '12.00', currency: 'USD' } }, {}],
];

test.each(CHANGES)(
  'nothing is %s that the ERP reverted while the write waited for the quota',
  async (_, fields, takenBack) => {
    const context = await open();
    const before = shown();
    const { price } = (await context.store.erp.productsBySku('main', SKU))[0] ?? {};
    if (price == null) throw new Error('it has no price');
    const back = { price: { amount: price.amount.toFixed(), currency: price.currency }, ...takenBack };
    await told(context, fields);
    stage.marketplace.requestLog.reset();
    const waiting = waitingFor(context, () => told(context, back));
    expect(await look(waiting, 'product')).toMatchObject({ state: 'in-sync', written: 0 });
    await waiting.client.close();
    expect(shown()).toEqual(before);
    expect(writes()).toEqual([]);
  },
);

test('nothing is archived that the ERP reverted in the very read that the write waited for', async () => {
  const context = await open();
  await told(context, { active: false });
  stage.marketplace.requestLog.reset();
  const name: ReadName = 'read:erp-products';
  const { promise: waits, resolve: nowWaits } = Promise.withResolvers<void>();
  const reading = context.exclusively([name], async () => {
    await waits;
    await told(context, { active: true });
  });
  const exclusively: AccountContext['exclusively'] = (keys, work) => {
    if (keys.includes(name)) nowWaits();
    return context.exclusively(keys, work);
  };
  expect(await look({ ...context, exclusively }, 'product')).toMatchObject({ state: 'in-sync', written: 0 });
  await reading;
  expect(writes()).toEqual([]);
});

test('a decrease that has become an increase is judged as an increase', async () => {
  const context = await open();
  const limit = { pass: { count: 0, percent: null }, day: { count: 0, percent: null } };
  const braked = { ...context.config, brakes: { ...context.config.brakes, increase: limit } };
  const { id } = stage.marketplace.productBySku(SKU);
  stage.erp.control.setStock(SKU, '5');
  await read(context, 'read:erp-stock');
  // Somebody sets the stock to less while the write waits.
  const waiting = waitingFor({ ...context, config: braked }, async () => {
    const byHand = { lane: 'poll' } as const;
    await context.client.call('products.patch', { path: { id }, body: { quantity: 1 } }, byHand);
    await read(context, 'read:products');
  });
  const result = await look(waiting, 'stock');
  await waiting.client.close();
  expect(result).toMatchObject({ state: 'held', causes: [{ code: 'brake-plan', params: { brake: 'increase' } }] });
  expect(Number(stage.marketplace.productBySku(SKU).available)).toBe(1);
});

test('a new listing begins with its stock at the create, not with the stock before the wait', async () => {
  const context = await open();
  stage.erp.control.addProducts([CREATE]);
  await read(context, 'read:erp-products');
  await read(context, 'read:erp-stock');
  await read(context, 'read:products');
  const key = (await context.store.erp.productsBySku('main', 'NEW-1'))[0]?.id ?? '';
  let calls = 0;
  const waiting = waitingFor(context, async () => {
    calls += 1;
    if (calls > 1) return;
    stage.erp.control.setStock('NEW-1', '3');
    await read(context, 'read:erp-stock');
  });
  expect(await reconcile(waiting, 'product', key)).toMatchObject({ state: 'in-sync', written: 1 });
  await waiting.client.close();
  expect(Number(stage.marketplace.productBySku('NEW-1').available)).toBe(3);
  expect((await context.store.intents.of({ account: 'main', kind: 'product', key })).map(({ state }) => state)).toEqual(
    ['applied', 'refused'],
  );
});

test('no order is created for an order that the ERP cancelled while its create waited', async () => {
  const context = await open();
  const buyer = stage.marketplace.addCustomer({ name: 'Shop', state: 'NV' });
  const lines = [{ sku: SKU, quantity: '2', unit_price: '10.00' }];
  const { id } = stage.erp.control.createOrder({ customer: { marketplace_id: buyer }, lines });
  await read(context, 'read:erp-orders');
  const waiting = waitingFor(context, async () => {
    stage.erp.control.cancelOrder(id);
    await read(context, 'read:erp-orders');
  });
  expect(await reconcile(waiting, 'order-out', id)).toMatchObject({ state: 'in-sync', written: 0 });
  await waiting.client.close();
  expect(stage.marketplace.orders()).toEqual([]);
});

test.each([
  ['archives nothing', async (context: AccountContext) => told(context, { active: false }), SKU],
  [
    'lists nothing',
    async (context: AccountContext) => {
      stage.erp.control.addProducts([CREATE]);
      await read(context, 'read:erp-products');
    },
    CREATE.sku,
  ],
])('a write that waits while its flow is paused %s', async (_, change, sku) => {
  const context = await open();
  await change(context);
  await read(context, 'read:products');
  stage.marketplace.requestLog.reset();
  const [product] = await context.store.erp.productsBySku('main', sku);
  const waiting = waitingFor(context, () => context.store.pauses.pause('main', 'product', 'look at it first', 'me'));
  const result = await reconcile(waiting, 'product', product?.id ?? '');
  await waiting.client.close();
  expect(result).toMatchObject({ state: 'held', causes: [{ code: 'paused', params: { reason: 'look at it first' } }] });
  expect(writes()).toEqual([]);
});

test('a payment that somebody records by hand while its create waits is not recorded twice', async () => {
  stage = await openStage({ account: '    payments: { to_marketplace: true, to_erp: true }' });
  stage.erp.control.seed(2);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: stage.marketplace.productBySku(SKU).id, quantity: '1' }];
  const { number } = stage.marketplace.placeOrder({ customer, items });
  const context = await standStill(stage);
  const [order] = stage.erp.control.findOrders(number);
  const receivedAt = '2030-01-31T08:30:00.000Z';
  const paid = { order_id: order?.id ?? '', amount: '50.00', method: 'Cash', received_at: receivedAt };
  stage.erp.control.addPayment(paid);
  await read(context, 'read:erp-payments');
  const waiting = waitingFor(context, async () => {
    if (stage.marketplace.requestLog.counts()['order-payments.create'] !== undefined) return;
    const body = { order: number, total: '50.00', payment_type: 'cash', payment_date: receivedAt } as const;
    await context.client.call('order-payments.create', { body }, { lane: 'poll' });
    await read(context, 'read:payments');
  });
  await reconcile(waiting, 'payment-out', stage.erp.control.state().payments[0]?.id ?? '');
  await waiting.client.close();
  expect(stage.marketplace.requestLog.counts()['order-payments.create']).toBe(1);
});

test('lines of the ERP are not replaced by an older decision after a read found that a person has changed them', async () => {
  const context = await open();
  const buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [first, second] = ['SB-0001', 'SB-0002'].map((sku) => stage.marketplace.productBySku(sku).id);
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items: [{ product: first ?? 0, quantity: '2' }] });
  await read(context, 'read:orders');
  await reconcile(context, 'order-in', number);
  const order = stage.erp.control.findOrders(number)[0];
  stage.marketplace.addLine(number, { product: second ?? 0, quantity: '1' });
  await read(context, 'read:orders');
  const { erp } = context;
  let asked = 0;
  const getOrder: typeof erp.getOrder = async (id, signal) => {
    asked += 1;
    if (asked === 1) {
      const lines = order?.lines.map((line) => ({ ...line, quantity: '10' })) ?? [];
      stage.erp.control.changeOrder(id, { lines });
      await read(context, 'read:erp-orders');
    }
    return erp.getOrder(id, signal);
  };
  await reconcile({ ...context, erp: { ...erp, getOrder } }, 'order-in', number);
  expect(asked).toBeGreaterThan(0);
  expect(stage.erp.control.findOrders(number)[0]?.lines.map(({ quantity }) => quantity)).toEqual(['10']);
});
