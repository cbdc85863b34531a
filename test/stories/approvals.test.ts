import { beforeEach, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage } from '../support/stage.ts';

const APPROVALS = '    orders: { approvals: { purchase_order_number: number, order_id: id } }';

let stage: Stage;
let customer: number;

beforeEach(async () => {
  stage = await openStage({ account: APPROVALS, timeout: '5s' });
  stage.erp.control.seed(1);
  await stage.sync();
  customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
});

/** An order of the marketplace that the ERP has, and its id there. */
async function order() {
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  await stage.sync();
  return { number, erpId: stage.erp.control.findOrders(number)[0]?.id ?? '' };
}

const bodies = (): unknown[] =>
  stage.marketplace.requestLog
    .calls()
    .filter(({ operation }) => operation === 'purchase-orders.approve')
    .map(({ body }) => JSON.parse(body) as unknown);
const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow} ${key}: ${told(heldFor)}`);

test('each verdict of the ERP reaches the marketplace once, and then no call is made', async () => {
  const { number, erpId } = await order();
  stage.erp.control.approveOrder(erpId, { status: 'approved' });
  expect(await stage.sync()).toMatchObject({ written: 1, held: 0 });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  stage.erp.control.approveOrder(erpId, { status: 'rejected', message: 'no credit' });
  expect(await stage.sync()).toMatchObject({ written: 1, held: 0 });
  expect(await stage.sync()).toMatchObject({ written: 0, held: 0 });
  expect(bodies()).toEqual([
    { order_id: expect.any(Number), purchase_order_number: number, status: 'approved' },
    { order_id: expect.any(Number), purchase_order_number: number, status: 'rejected', message: 'no credit' },
  ]);
});

test('a verdict that was given before its order was linked is sent once the order is linked', async () => {
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  const made = stage.erp.control.createOrder({ lines: [{ sku: 'SB-0001', quantity: '1', unit_price: '1.00' }] });
  stage.erp.control.approveOrder(made.id, { status: 'approved' });
  await stage.sync();
  expect(bodies()).toEqual([]);
  await stage
    .store()
    .links.link(
      { account: 'main', kind: 'order', marketplaceId: number, erpId: made.id, how: 'operator' },
      true,
      'a test',
    );
  await stage.sync();
  expect(bodies()).toMatchObject([{ purchase_order_number: number, status: 'approved' }]);
});

test('an undocumented verdict is held, and the order goes on', async () => {
  const { number, erpId } = await order();
  stage.marketplace.transition(number, 'accept');
  stage.erp.control.approveOrder(erpId, { status: 'on hold' });
  expect(await stage.sync()).toMatchObject({ held: 1 });
  expect(await held()).toEqual([expect.stringContaining(`approval-out ${erpId}: approval-status-unknown`)]);
  stage.erp.control.shipOrder(erpId);
  await stage.sync();
  expect(stage.marketplace.order(number).status).toBe('Fulfilled');
  stage.erp.control.approveOrder(erpId, { status: 'completed' });
  expect(await stage.sync()).toMatchObject({ held: 0 });
  expect(bodies()).toMatchObject([{ status: 'completed' }]);
});

test.each(['reset-after', 'status-after,status=503'])(
  'a verdict with a lost answer (%s) is not repeated unless an operator says so',
  async (text) => {
    const { erpId } = await order();
    const [kind = '', ...rest] = text.split(',');
    stage.marketplace.faults.set(parseFault([`${kind}@purchase-orders.approve,times=1`, ...rest].join(',')));
    stage.erp.control.approveOrder(erpId, { status: 'approved' });
    await stage.sync();
    await stage.sync();
    expect(bodies()).toHaveLength(1);
    expect(await held()).toEqual([expect.stringContaining(`approval-out ${erpId}: verdict-unseen`)]);
    const [intent] = await stage.store().doubts.after(0, 1);
    if (intent === undefined) throw new Error('nothing is in doubt');
    await stage.store().doubts.retry(intent, { by: 'a test', isWorked: false });
    expect(await stage.sync()).toMatchObject({ written: 1, held: 0 });
    expect(bodies()).toHaveLength(2);
  },
);

test('a verdict that did not reach the marketplace is sent again without an operator', async () => {
  const { erpId } = await order();
  stage.marketplace.faults.set(parseFault('status-before@purchase-orders.approve,status=429,times=1'));
  stage.erp.control.approveOrder(erpId, { status: 'approved' });
  await stage.sync();
  expect(await stage.sync()).toMatchObject({ held: 0, pending: 0 });
  expect(bodies().at(-1)).toMatchObject({ status: 'approved' });
});

test('too many rejections wait for an operator, and approvals go on meanwhile', async () => {
  for (let nth = 0; nth < 12; nth += 1) {
    stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  }
  await stage.sync();
  const { orders } = stage.erp.control.state();
  expect(orders).toHaveLength(12);
  for (const [nth, { id }] of orders.entries()) {
    stage.erp.control.approveOrder(id, { status: nth === 0 ? 'approved' : 'rejected' });
  }
  await stage.sync();
  expect(bodies()).toMatchObject([{ status: 'approved' }]);
  expect((await stage.store().brakes.list()).flatMap(({ items }) => items)).toHaveLength(11);
});

test('a paused approval flow reports nothing', async () => {
  const { erpId } = await order();
  await stage.store().pauses.pause('main', 'approval-out', 'until Monday', 'a test');
  stage.erp.control.approveOrder(erpId, { status: 'approved' });
  await stage.sync();
  expect(bodies()).toEqual([]);
  await stage.store().pauses.resume('main', 'approval-out', 'a test');
  await stage.sync();
  expect(bodies()).toHaveLength(1);
});
