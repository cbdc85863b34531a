import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage } from '../support/stage.ts';

/* An ERP that was restored from a backup gives its ids again, to other orders. */

let stage: Stage;

/** Places an order of these quantities of SB-0001 and SB-0002, and brings it home. Returns its number. */
async function ordered(...quantities: readonly string[]): Promise<string> {
  const items = quantities.map((quantity, at) => ({
    product: stage.marketplace.productBySku(`SB-000${at + 1}`).id,
    quantity,
  }));
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items });
  await stage.sync();
  return number;
}

let buyer: number;
async function open(orders = 'erp_edits: write'): Promise<void> {
  stage = await openStage({ account: `    orders: { ${orders} }` });
  stage.erp.control.seed(3);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
}

const inErp = (number: string) => {
  const [found] = stage.erp.control.findOrders(number);
  if (found === undefined) throw new Error(`the ERP has no order ${number}`);
  return found;
};
const erpOrder = (id: string) => stage.erp.control.state().orders.find((one) => one.id === id);
const there = (number: string) => stage.marketplace.order(number).lines.map(({ quantity }) => Number(quantity));
const held = async () => (await stage.store().work.held()).flatMap(({ heldFor }) => heldFor ?? []);
const alerts = async () => (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes);

test.each([
  ['made in the ERP itself', (id: string) => ({ origin: 'erp', reference: id })],
  ['of another buyer', (_: string, other: string) => ({ reference: other })],
])(
  'an order whose ERP id became that of an order %s is held, and neither is rewritten or cancelled',
  async (_, became) => {
    await open();
    const number = await ordered('10', '2');
    const other = await ordered('3');
    const { id } = inErp(number);
    const { lines } = inErp(other);
    stage.erp.control.changeOrder(id, { lines, ...became(id, other) });
    await stage.sync();
    expect([there(number), await held()]).toMatchObject([[10, 2], [{ code: 'erp-order-of-another' }]]);
    stage.marketplace.transition(number, 'cancel');
    await stage.sync();
    expect(erpOrder(id)?.status).toBe('reserved');
  },
);

test('the units of an order whose ERP id became that of another are not sold again while it is held', async () => {
  await open();
  const number = await ordered('10');
  const other = await ordered('10');
  const offered = () => {
    const { quantity, reserved, available } = stage.marketplace.productBySku('SB-0001');
    return { quantity, reserved, available };
  };
  const before = offered();
  const [first, second] = [inErp(number), inErp(other)];
  stage.erp.control.removeOrder(second.id);
  stage.erp.control.changeOrder(first.id, { reference: other, lines: second.lines } as never);
  await stage.sync();
  await stage.sync();
  expect([offered(), (await alerts()).filter(({ code }) => code === 'oversold')]).toEqual([before, []]);
});

test.each([0, 1])('the price of line %i of two of one product is held by the brake of prices', async (at) => {
  await open('erp_edits: write, prices: follow');
  const product = stage.marketplace.productBySku('SB-0001').id;
  const items = ['5', '2'].map((quantity) => ({ product, quantity }));
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items });
  await stage.sync();
  const { id, lines } = inErp(number);
  const dropped = lines.map((line, place) => (place === at ? { ...line, unit_price: '0.04' } : line));
  stage.erp.control.changeOrder(id, { lines: dropped });
  await stage.sync();
  expect(await held()).toMatchObject([{ code: 'brake-plan' }]);
});
