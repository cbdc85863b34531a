import { describe, expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let id: string;

/** An accepted order with lines of ten and of two units, which the ERP has reserved. */
async function open(orders = 'erp_edits: tell'): Promise<string> {
  stage = await openStage({ account: `    orders: { ${orders} }` });
  stage.erp.control.seed(3);
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  const [first, second] = ['SB-0001', 'SB-0002'].map((sku) => stage.marketplace.productBySku(sku).id);
  const { number } = stage.marketplace.placeOrder({
    customer,
    items: [
      { product: first ?? 0, quantity: '10' },
      { product: second ?? 0, quantity: '2' },
    ],
  });
  stage.marketplace.transition(number, 'accept');
  await stage.sync();
  id = stage.erp.control.findOrders(number)[0]?.id ?? '';
  return number;
}

const status = (number: string) => stage.marketplace.order(number).status;
const there = (number: string) =>
  stage.marketplace
    .order(number)
    .lines.map((line) => `${Number(line.quantity)} x ${stage.marketplace.product(line.product).sku}`);
const alerts = async () => (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes);
const held = async () => (await stage.store().work.held()).flatMap(({ heldFor }) => heldFor ?? []);

test('a partial shipment changes nothing: the order waits until the ERP has shipped it', async () => {
  const number = await open();
  stage.erp.control.shipLines(id, { 'SB-0001': { shipped: '4' } });
  await stage.sync();
  expect([status(number), await alerts(), await held()]).toEqual(['Accepted', [], []]);
  stage.erp.control.shipOrder(id);
  await stage.sync();
  expect([status(number), await alerts()]).toEqual(['Fulfilled', []]);
});

test('an order that is shipped short is reported and fulfilled', async () => {
  const number = await open();
  stage.erp.control.shipLines(id, { 'SB-0001': { shipped: '7', given_up: '3' } });
  stage.erp.control.shipOrder(id);
  await stage.sync();
  expect([status(number), there(number)]).toEqual(['Fulfilled', ['10 x SB-0001', '2 x SB-0002']]);
  expect(await alerts()).toMatchObject([
    { code: 'shipped-short', params: { order: number, short: '7 of 10 x SB-0001' } },
  ]);
  expect((await stage.sync()).written).toBe(0);
});

test('an ERP that cannot report shipped lines counts as having shipped the whole order', async () => {
  const number = await open();
  stage.erp.control.setAbility({ partial_shipments: false });
  await stage.sync();
  stage.erp.control.shipLines(id, { 'SB-0001': { shipped: '7', given_up: '3' } });
  stage.erp.control.shipOrder(id);
  await stage.sync();
  expect([status(number), await alerts()]).toEqual(['Fulfilled', []]);
});

test('a line that is shipped short is reduced before the order is fulfilled, where edits of the ERP are written', async () => {
  const number = await open('erp_edits: write');
  const before = Number(stage.erp.control.stockOf('SB-0001').available);
  stage.erp.control.shipLines(id, { 'SB-0001': { given_up: '3' } });
  stage.erp.control.shipOrder(id);
  await stage.sync();
  expect([status(number), there(number)]).toEqual(['Fulfilled', ['7 x SB-0001', '2 x SB-0002']]);
  expect([await alerts(), await held(), (await stage.sync()).written]).toEqual([[], [], 0]);
  expect(Number(stage.marketplace.productBySku('SB-0001').available)).toBe(before + 3);
});

test('a line of which nothing was shipped is deleted, where edits of the ERP are written', async () => {
  const number = await open('erp_edits: write');
  stage.erp.control.shipLines(id, { 'SB-0002': { given_up: '2' } });
  stage.erp.control.shipOrder(id);
  await stage.sync();
  expect([status(number), there(number)]).toEqual(['Fulfilled', ['10 x SB-0001']]);
});

test('an order of which nothing was shipped is held, where edits of the ERP are written', async () => {
  const number = await open('erp_edits: write');
  stage.erp.control.shipLines(id, { 'SB-0001': { given_up: '10' }, 'SB-0002': { given_up: '2' } });
  await stage.sync();
  expect([status(number), await held()]).toMatchObject([
    'Accepted',
    [{ code: 'nothing-left', params: { order: number } }],
  ]);
});

test('an edit on the marketplace of a partly shipped order is held', async () => {
  const number = await open();
  stage.erp.control.shipLines(id, { 'SB-0001': { shipped: '4' } });
  stage.marketplace.editLine(stage.marketplace.order(number).lines[0]?.id ?? 0, { quantity: '12' });
  await stage.sync();
  expect(await held()).toMatchObject([{ code: 'shipped-and-edited' }]);
});

describe('cancelled by the buyer', () => {
  const stock = () => stage.marketplace.productBySku('SB-0001');

  test('an order that the buyer cancels after a partial shipment is for a person to settle, and the shipped goods are not sold again', async () => {
    const number = await open();
    stage.erp.control.shipLines(id, { 'SB-0001': { shipped: '4' } });
    await stage.sync();
    const offered = Number(stock().available);
    stage.marketplace.transition(number, 'reject');
    await stage.sync();
    expect(await held()).toMatchObject([{ code: 'dead-but-shipped', params: { order: number } }]);
    expect(stage.erp.control.findOrders(number)).toMatchObject([{ status: 'reserved' }]);
    expect(Number(stock().available)).toBe(offered);
  });
});
