import { beforeEach, describe, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let numbers: string[];
let customer: number;

const begin = async (account = '') => {
  stage = await openStage({ account });
  stage.erp.control.seed(2);
  for (const { sku } of stage.erp.control.state().products) stage.erp.control.setStock(sku, '50');
  await stage.sync();
  customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  numbers = [place(), place(), place()];
  await stage.sync();
};
const product = () => stage.marketplace.productBySku('SB-0001').id;
const place = () => stage.marketplace.placeOrder({ customer, items: [{ product: product(), quantity: '7' }] }).number;
const inErp = (number = '') => stage.erp.control.findOrders(number)[0];
const available = () => Number(stage.marketplace.product(product()).available);
const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);
const alerts = async () =>
  (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes.map(({ code }) => code));

describe('an order that somebody deleted on the marketplace', () => {
  beforeEach(() => begin());

  test('a deleted marketplace order is cancelled in the ERP, and its stock is sold again', async () => {
    const [number] = numbers;
    stage.marketplace.deleteOrder(number ?? '');
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
    expect(numbers.map((each) => inErp(each)?.status)).toEqual(['cancelled', 'reserved', 'reserved']);
    expect(available()).toBe(50 - 14);
    const [entry] = await stage.store().journal.of('main', 'order-in', number ?? '', 1);
    expect(entry).toMatchObject({ before: 'reserved', after: 'cancelled', why: 'gone from the marketplace' });
    const notes = await stage.store().journal.of('main', 'read', 'orders', 10);
    expect(notes).toMatchObject([{ action: 'read.gone', target: `order ${number}`, before: 'Submitted' }]);
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  });

  test('an order deleted before the ERP had it is not entered there', async () => {
    await stage.store().pauses.pause('main', 'order-in', 'not yet', 'a test');
    const number = place();
    await stage.sync();
    stage.marketplace.deleteOrder(number);
    await stage.sync();
    await stage.store().pauses.resume('main', 'order-in', 'a test');
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
    expect(inErp(number)).toBeUndefined();
    expect(available()).toBe(50 - 21);
  });

  test('an order deleted right before its status step is noticed by that step, and the job does not fail', async () => {
    const [number = ''] = numbers;
    stage.marketplace.forceStatus(number, 'Accepted');
    const context = await standStill(stage);
    stage.erp.control.shipOrder(inErp(number)?.id ?? '');
    await read(context, 'read:erp-orders');
    stage.marketplace.deleteOrder(number);
    expect(await reconcile(context, 'order-in', number)).toMatchObject({ state: 'in-sync' });
    const [note] = await stage.store().journal.of('main', 'read', 'orders', 1);
    expect(note).toMatchObject({ action: 'read.gone', target: `order ${number}` });
    await stage.stop();
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  });

  test('a deleted order that the ERP has already shipped stays shipped', async () => {
    const [number = ''] = numbers;
    stage.erp.control.shipOrder(inErp(number)?.id ?? '');
    stage.marketplace.deleteOrder(number);
    await stage.sync();
    expect(inErp(number)?.status).toBe('shipped');
    expect(await stage.sync()).toMatchObject({ written: 0 });
  });

  test('an order that lists lack is not deleted as long as the marketplace returns it by its number', async () => {
    expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
    expect(numbers.map((each) => inErp(each)?.status)).toEqual(['reserved', 'reserved', 'reserved']);
  });

  test('an order is not deleted while it cannot be requested, nor by a list that fails', async () => {
    for (const number of numbers.slice(0, 2)) stage.marketplace.deleteOrder(number);
    stage.marketplace.faults.set(parseFault('status-before@orders.get,status=503,times=100'));
    await stage.sync();
    expect(numbers.map((each) => inErp(each)?.status)).toEqual(['reserved', 'reserved', 'reserved']);
    stage.marketplace.faults.clear();
    await stage.sync();
    expect(numbers.map((each) => inErp(each)?.status)).toEqual(['cancelled', 'cancelled', 'reserved']);
  });

  test('an empty list deletes no orders: the list is reported until it has rows', async () => {
    for (const number of numbers) stage.marketplace.deleteOrder(number);
    expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
    expect(await alerts()).toContain('orders-list-empty');
    expect(numbers.map((each) => inErp(each)?.status)).toEqual(['reserved', 'reserved', 'reserved']);
    place();
    await stage.sync();
    expect(await alerts()).toEqual([]);
    expect(numbers.map((each) => inErp(each)?.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });
});

test('beyond the brake, no deleted order is cancelled until somebody approves it', async () => {
  await begin('    orders: { deleted: cancel }');
  stage.erp.control.setStock('SB-0001', '500');
  await stage.sync();
  const more = Array.from({ length: 12 }, place);
  await stage.sync();
  for (const number of more.slice(1)) stage.marketplace.deleteOrder(number);
  await stage.sync();
  expect(more.map((each) => inErp(each)?.status)).toEqual(more.map(() => 'reserved'));
  expect((await held()).filter((line) => line.includes('brake-plan'))).toHaveLength(11);
  const [plan] = await stage.store().brakes.list();
  expect(plan?.plan.kind).toBe('reject');
  await stage
    .store()
    .brakes.approve({ hash: plan?.hash ?? '' }, { except: [], expiryMs: { main: 60_000 }, by: 'a test' });
  await stage.sync();
  expect(more.map((each) => inErp(each)?.status)).toEqual(['reserved', ...more.slice(1).map(() => 'cancelled')]);
});

test('with orders.deleted: tell, a deleted order is an alert until somebody cancels it in the ERP', async () => {
  await begin('    orders: { deleted: tell }');
  const [number = ''] = numbers;
  stage.marketplace.deleteOrder(number);
  expect(await stage.sync()).toMatchObject({ held: 0, failed: 0 });
  expect([inErp(number)?.status, await alerts()]).toEqual(['reserved', ['order-deleted']]);
  stage.erp.control.cancelOrder(inErp(number)?.id ?? '');
  await stage.sync();
  expect([available(), await alerts()]).toEqual([50 - 14, []]);
});
