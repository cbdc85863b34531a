import { beforeEach, describe, expect, test } from 'vitest';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let numbers: string[];

beforeEach(async () => {
  stage = await openStage({ marketplace: '      transitions: { reject: reject }' });
  stage.erp.control.seed(2);
  for (const { sku } of stage.erp.control.state().products) stage.erp.control.setStock(sku, '50');
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const order = () => stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '7' }] }).number;
  numbers = [order(), order(), order()];
  await stage.sync();
});

const MINUTE_MS = 60_000;
const erp = () => stage.erp.control;
const erpId = (number = '') => erp().findOrders(number)[0]?.id ?? '';
const statusOf = (number = '') => stage.marketplace.order(number).status;
const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);
const alert = () => stage.store().facts.get('main', 'alert:erp:orders');
const sku = () => stage.marketplace.product(1).sku;
const available = () => Number(stage.marketplace.product(1).available);

test('a change that the ERP dates to before the last read is found by the pass over everything', async () => {
  const [number] = numbers;
  erp().cancelOrder(erpId(number));
  erp().stampOrder(erpId(number), 2 * MINUTE_MS);
  await stage.sync();
  expect(statusOf(number)).toBe('Rejected');
  expect(available()).toBe(50 - 14);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
});

describe('before a list of all its orders shows what the ERP let go of', () => {
  /** Reads the changes, and then looks at the stock of the product. */
  async function lookAtStock() {
    const context = await standStill(stage);
    return async () => {
      await read(context, 'read:all-erp-stock');
      await read(context, 'read:erp-orders');
      return reconcile(context, 'stock', sku().replace('SB-', 'P-00'));
    };
  }

  test('a backdated cancellation in the ERP releases no units: the ERP is asked for the orders that it should hold', async () => {
    const look = await lookAtStock();
    const [number] = numbers;
    erp().cancelOrder(erpId(number));
    erp().stampOrder(erpId(number), 2 * MINUTE_MS);
    expect(await look()).toMatchObject({ state: 'in-sync', written: 0 });
    expect(available()).toBe(50 - 21);
    expect(await stage.store().erp.order('main', erpId(number))).toMatchObject({ status: 'cancelled' });
    await reconcile(stage.context(), 'order-in', number ?? '');
    expect(statusOf(number)).toBe('Rejected');
    await look();
    expect(available()).toBe(50 - 14);
  });

  test('an order that is backdated and edited down in the ERP does not release units that are still in its marketplace order', async () => {
    const look = await lookAtStock();
    const id = erpId(numbers[0]);
    const lines = erp()
      .findOrders(numbers[0] ?? '')[0]
      ?.lines.map((line) => ({ ...line, quantity: '4' }));
    erp().changeOrder(id, { lines });
    erp().stampOrder(id, 2 * MINUTE_MS);
    expect(await look()).toMatchObject({ written: 0 });
    expect(available()).toBe(50 - 21);
  });

  test('an order that the ERP no longer returns releases no units: an increase waits for the full list', async () => {
    const look = await lookAtStock();
    erp().removeOrder(erpId(numbers[0]));
    const result = await look();
    expect(JSON.stringify(result)).toContain('erp-orders-unread');
    expect(available()).toBe(50 - 21);
  });

  test('new stock is offered without a request for orders, where the ERP reserves as much as the stored orders do', async () => {
    const look = await lookAtStock();
    erp().setStock(sku(), '60');
    const asked = erp().requests().length;
    expect(await look()).toMatchObject({ state: 'in-sync', written: 1 });
    expect(available()).toBe(60 - 21);
    expect(
      erp()
        .requests()
        .slice(asked)
        .filter(({ url }) => /orders\/E-/.test(url)),
    ).toEqual([]);
  });
});

test('an order that is gone from the ERP is reported, and its units are not sold, until the order is closed', async () => {
  const [number = ''] = numbers;
  erp().removeOrder(erpId(number));
  expect(await stage.sync()).toMatchObject({ held: 1, failed: 0 });
  expect(await held()).toEqual([`order-in ${number}: erp-order-gone {"order":"${number}"}`]);
  expect(available()).toBe(50 - 21);
  const notes = await stage.store().journal.of('main', 'read', 'erp-orders', 10);
  expect(notes).toMatchObject([{ action: 'read.gone', before: 'reserved', after: 'gone from the ERP' }]);
  expect(await stage.sync()).toMatchObject({ written: 0, held: 1 });
  stage.marketplace.cancel(number);
  await stage.sync();
  expect(await held()).toEqual([]);
});

test('an order that is gone from the ERP is no longer reported once the marketplace has closed it as well', async () => {
  const [number = ''] = numbers;
  erp().removeOrder(erpId(number));
  stage.marketplace.cancel(number);
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect(available()).toBe(50 - 14);
});

describe('before a list of all its orders lacks an order that was deleted in the ERP', () => {
  const lookAt = async (number: string) =>
    reconcile(stage.context(), 'order-in', number).then(
      ({ state }) => state,
      (error: unknown) => (error as Error).message,
    );

  test('its cancellation by the buyer is in step: both are gone', async () => {
    const context = await standStill(stage);
    const [number = ''] = numbers;
    const id = erpId(number);
    erp().removeOrder(id);
    stage.marketplace.cancel(number);
    await read(context, 'read:orders');
    expect(await lookAt(number)).toBe('in-sync');
    expect(await stage.store().erp.order('main', id)).toBeNull();
    const notes = await stage.store().journal.of('main', 'read', 'erp-orders', 10);
    expect(notes).toMatchObject([{ action: 'read.gone', before: 'reserved', after: 'gone from the ERP' }]);
    await stage.stop();
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
    expect(available()).toBe(50 - 14);
  });

  test('an edit of it by the buyer is held, and its units are not sold', async () => {
    const context = await standStill(stage);
    const [number = ''] = numbers;
    erp().removeOrder(erpId(number));
    stage.marketplace.editLine(stage.marketplace.order(number).lines[0]?.id ?? 0, { quantity: '5' });
    await read(context, 'read:orders');
    expect(await lookAt(number)).toBe('held');
    await stage.stop();
    expect(await stage.sync()).toMatchObject({ held: 1, failed: 0 });
    expect(await held()).toEqual([`order-in ${number}: erp-order-gone {"order":"${number}"}`]);
    expect(available()).toBe(50 - 19);
  });

  test.each([
    ['the address of the write', [{ method: 'PATCH', path: '/v1/orders/' }]],
    ['the address of an order', [{ path: '/v1/orders/' }]],
    ['every address of orders', [{ path: '/v1/orders' }]],
  ] as const)('an order that is there is not gone because %s answers 404', async (_, calls) => {
    const context = await standStill(stage);
    const [number = ''] = numbers;
    const id = erpId(number);
    stage.marketplace.cancel(number);
    await read(context, 'read:orders');
    for (const call of calls) erp().inject({ kind: 'status', status: 404, times: null, ...call });
    expect(await lookAt(number)).toContain('404');
    expect(await stage.store().erp.order('main', id)).toMatchObject({ status: 'reserved' });
    erp().clearFaults();
    expect(await lookAt(number)).toBe('in-sync');
    expect(erp().findOrders(number)[0]?.status).toBe('cancelled');
  });
});

test.each([
  ['incomplete', { kind: 'incomplete', keep: 0, path: '/v1/orders', times: null }, '"erp-orders-incomplete"'],
  ['empty', { kind: 'empty', path: '/v1/orders', times: null }, '"erp-orders-empty","params":{"open":3}'],
] as const)('an order is not gone because a list of orders that is %s lacks it', async (_, fault, text) => {
  for (const number of numbers) erp().removeOrder(erpId(number));
  erp().inject(fault);
  await stage.sync();
  expect(await alert()).toContain(text);
  expect((await held()).filter((line) => line.includes('erp-order-gone'))).toEqual([]);
  erp().clearFaults();
  erp().createOrder({ customer: {}, lines: [{ sku: 'SB-0001', quantity: '1', unit_price: '1.00' }] });
  await stage.sync();
  expect(await alert()).toBeNull();
  expect((await held()).filter((line) => line.includes('erp-order-gone'))).toHaveLength(3);
});

test('an order is not gone when only the list lacks it', async () => {
  erp().inject({ kind: 'shrink', keep: 0.4, path: '/v1/orders', times: null });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  expect(await alert()).toBeNull();
  expect((await stage.store().journal.of('main', 'read', 'erp-orders', 10)).length).toBe(0);
});
