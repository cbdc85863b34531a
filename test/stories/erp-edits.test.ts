import { expect, test } from 'vitest';
import { shownCause } from '../../src/domain/causes/cause.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage, type StageOptions } from '../support/stage.ts';

let stage: Stage;
let buyer: number;
let listing: number;

async function open(orders = '', options: StageOptions = {}): Promise<string> {
  stage = await openStage({ account: orders === '' ? '' : `    orders: { ${orders} }`, ...options });
  stage.erp.control.seed(3);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
  listing = stage.marketplace.productBySku('SB-0001').id;
  const second = stage.marketplace.productBySku('SB-0002').id;
  const items = [
    { product: listing, quantity: '10' },
    { product: second, quantity: '2' },
  ];
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items });
  await stage.sync();
  return number;
}

const inErp = (number: string) => stage.erp.control.findOrders(number)[0];
const erpLines = (number: string) => inErp(number)?.lines.map((l) => `${Number(l.quantity)} x ${l.sku}`);
const there = (number: string) =>
  stage.marketplace
    .order(number)
    .lines.map((line) => `${Number(line.quantity)} x ${stage.marketplace.product(line.product).sku}`);
const alerts = async () => (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes);
const held = async () => (await stage.store().work.held()).flatMap(({ heldFor }) => heldFor ?? []);
const journal = async (number: string) =>
  (await stage.store().journal.of('main', 'order-in', number, 100)).map(({ why }) => why);

/** A person changes the lines in the ERP. The rest stays unchanged. */
function editInErp(number: string, quantities: Readonly<Record<string, string>>): void {
  const order = inErp(number);
  const prices = new Map(order?.lines.map((line) => [line.sku, line.unit_price]));
  const lines = Object.entries(quantities).map(([sku, quantity]) => ({
    sku,
    quantity,
    unit_price: prices.get(sku) ?? '2.00',
  }));
  stage.erp.control.changeOrder(order?.id ?? '', { lines });
}
const editThere = (number: string, quantity: string) =>
  stage.marketplace.editLine(stage.marketplace.order(number).lines[0]?.id ?? 0, { quantity });
const accept = (number: string) => stage.marketplace.transition(number, 'accept');

test('a quantity edited in the ERP raises an alert with both sides and the agreed lines, and is not overwritten', async () => {
  const number = await open();
  editInErp(number, { 'SB-0001': '7', 'SB-0002': '2' });
  await stage.sync();
  expect([erpLines(number), there(number)]).toEqual([
    ['7 x SB-0001', '2 x SB-0002'],
    ['10 x SB-0001', '2 x SB-0002'],
  ]);
  const [base, erp] = ['10 x SB-0001, 2 x SB-0002', '7 x SB-0001, 2 x SB-0002'];
  expect(await alerts()).toMatchObject([{ code: 'edited-in-erp', params: { base, there: base, erp } }]);
  expect(await journal(number)).not.toContain('the order was edited on the marketplace');
});

test('an order that is shipped as it was edited in the ERP is fulfilled, and not held for ever', async () => {
  const number = await open();
  accept(number);
  editInErp(number, { 'SB-0001': '7', 'SB-0002': '2' });
  stage.erp.control.shipOrder(inErp(number)?.id ?? '');
  await stage.sync();
  expect(stage.marketplace.order(number).status).toBe('Fulfilled');
  expect(await held()).toEqual([]);
  expect(await alerts()).toMatchObject([{ code: 'edited-in-erp' }]);
});

test('a quantity edited in the ERP holds the order where that is configured', async () => {
  const number = await open('erp_edits: hold');
  accept(number);
  editInErp(number, { 'SB-0001': '7', 'SB-0002': '2' });
  stage.erp.control.shipOrder(inErp(number)?.id ?? '');
  await stage.sync();
  expect(stage.marketplace.order(number).status).toBe('Accepted');
  expect(await held()).toMatchObject([{ code: 'edited-in-erp' }]);
});

test('a quantity edited in the ERP is written to the marketplace line where that is configured', async () => {
  const number = await open('erp_edits: write');
  editInErp(number, { 'SB-0001': '7', 'SB-0002': '2' });
  await stage.sync();
  expect(there(number)).toEqual(['7 x SB-0001', '2 x SB-0002']);
  expect(await alerts()).toEqual([]);
  expect(await journal(number)).toContain('the order was edited in the ERP');
  expect((await stage.sync()).written).toBe(0);
});

test('an order that the ERP divides into two keeps its lines on the marketplace, and says why', async () => {
  const number = await open('erp_edits: write');
  const id = inErp(number)?.id ?? '';
  editInErp(number, { 'SB-0001': '6', 'SB-0002': '2' });
  const copy = stage.erp.control.copyOrder(id, [{ sku: 'SB-0001', quantity: '4', unit_price: '5.00' }]);
  await stage.sync();
  expect(there(number)).toEqual(['10 x SB-0001', '2 x SB-0002']);
  const divided = (await alerts()).find(({ code }) => code === 'erp-orders-beside');
  expect(shownCause(divided as never).next).toContain('put all its lines into one of them');
  editInErp(number, { 'SB-0001': '10', 'SB-0002': '2' });
  stage.erp.control.cancelOrder(copy.id);
  await stage.sync();
  expect([there(number), await alerts(), await held()]).toEqual([['10 x SB-0001', '2 x SB-0002'], [], []]);
});

test('a line removed in the ERP and one added there are deleted and added on the marketplace', async () => {
  const number = await open('erp_edits: write');
  editInErp(number, { 'SB-0001': '10', 'SB-0003': '4' });
  await stage.sync();
  expect(there(number).toSorted()).toEqual(['10 x SB-0001', '4 x SB-0003']);
  expect(stage.marketplace.order(number).lines).toHaveLength(2);
  expect((await stage.sync()).written).toBe(0);
});

test('two lines of a product that are merged in the ERP are one line on the marketplace, also after a lost answer', async () => {
  const number = await open('erp_edits: write');
  stage.marketplace.addLine(number, { product: listing, quantity: '3' });
  await stage.sync();
  expect(erpLines(number)?.toSorted()).toEqual(['10 x SB-0001', '2 x SB-0002', '3 x SB-0001']);
  editInErp(number, { 'SB-0001': '13', 'SB-0002': '2' });
  stage.marketplace.faults.set({ kind: 'reset-after', operation: 'line-items.delete', times: 1 });
  await stage.sync();
  await stage.sync();
  expect(there(number).toSorted()).toEqual(['13 x SB-0001', '2 x SB-0002']);
  expect([await held(), await alerts()]).toEqual([[], []]);
});

test('an order edited on both sides is held as a conflict with base, marketplace and ERP, until they agree', async () => {
  const number = await open('erp_edits: write');
  await stage.stop();
  editInErp(number, { 'SB-0001': '7', 'SB-0002': '2' });
  editThere(number, '12');
  await stage.sync();
  expect(await held()).toMatchObject([
    {
      code: 'edited-on-both-sides',
      params: {
        base: '10 x SB-0001, 2 x SB-0002',
        there: '12 x SB-0001, 2 x SB-0002',
        erp: '7 x SB-0001, 2 x SB-0002',
      },
    },
  ]);
  expect([erpLines(number)?.[0], there(number)[0]]).toEqual(['7 x SB-0001', '12 x SB-0001']);
  editThere(number, '7');
  await stage.sync();
  expect(await held()).toEqual([]);
  editThere(number, '8');
  await stage.sync();
  expect(erpLines(number)).toEqual(['8 x SB-0001', '2 x SB-0002']);
});

test('the same edit on both sides is no conflict', async () => {
  const number = await open();
  await stage.stop();
  editInErp(number, { 'SB-0001': '7', 'SB-0002': '2' });
  editThere(number, '7');
  await stage.sync();
  expect([await held(), await alerts()]).toEqual([[], []]);
});

test('a discount that somebody enters in the ERP stays, and is reported', async () => {
  const number = await open();
  stage.erp.control.changeOrder(inErp(number)?.id ?? '', { discount: '2.00' });
  await stage.sync();
  expect(Number(inErp(number)?.discount)).toBe(2);
  expect(await alerts()).toMatchObject([{ code: 'charges-edited-in-erp' }]);
});

test.each([
  ['total', '15.00'],
  ['tax', '7.00'],
] as const)(
  'a %s that somebody enters in the ERP stays, and is reported until it is reverted',
  async (field, figure) => {
    const number = await open();
    const before = inErp(number)?.[field] ?? '';
    const id = inErp(number)?.id ?? '';
    stage.erp.control.changeOrder(id, { [field]: figure });
    await stage.sync();
    expect(Number(inErp(number)?.[field])).toBe(Number(figure));
    expect(await alerts()).toMatchObject([{ code: 'charges-edited-in-erp' }]);
    stage.erp.control.changeOrder(id, { [field]: before });
    await stage.sync();
    expect(await alerts()).toEqual([]);
  },
);

test('a total entered in the ERP is overwritten by the total of an order that was edited on the marketplace', async () => {
  const number = await open();
  const before = Number(inErp(number)?.total);
  stage.erp.control.changeOrder(inErp(number)?.id ?? '', { total: '15.00' });
  await stage.sync();
  stage.marketplace.editOrder(number, { discount_amount: '3.00' });
  await stage.sync();
  expect(Number(inErp(number)?.total)).toBe(before - 3);
  expect(await alerts()).toEqual([]);
});

test('an order that somebody turns back into a draft in the ERP stays a draft, and is reported', async () => {
  const number = await open();
  stage.erp.control.changeOrder(inErp(number)?.id ?? '', { status: 'draft' });
  await stage.sync();
  expect(inErp(number)?.status).toBe('draft');
  expect(await alerts()).toMatchObject([{ code: 'released-in-erp' }]);
});
