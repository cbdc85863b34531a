import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;
let buyer: number;

async function open(orders: string): Promise<void> {
  stage = await openStage({ account: `    orders: { ${orders} }` });
  stage.erp.control.seed(3);
  buyer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  await stage.sync();
}

const make = (changes: object = {}) =>
  stage.erp.control.createOrder({
    customer: { marketplace_id: buyer },
    lines: [{ sku: 'SB-0001', quantity: '4', unit_price: '2.00' }],
    ...changes,
  }).id;
const entered = () => stage.marketplace.orders().map(({ externalId }) => externalId);
const there = (id: string) => stage.marketplace.orders().find(({ externalId }) => externalId === id);
const linesThere = (id: string) =>
  there(id)?.lines.map((line) => `${Number(line.quantity)} x ${stage.marketplace.product(line.product).sku}`);
const held = async () => (await stage.store().work.held()).flatMap(({ heldFor }) => heldFor ?? []);
const alerts = async () =>
  (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes.map(({ code }) => code));

test('orders made in the ERP stay there unless their export is on, and leave no record', async () => {
  await open('on_unmapped_customer: create');
  make();
  make({ customer: { name: 'Nobody whom the marketplace knows' } });
  make({ currency: 'EUR' });
  await stage.sync();
  expect([entered(), await held()]).toEqual([[], []]);
});

test('orders made in the ERP are exported if they are new enough and match the rule; other channels leave no record', async () => {
  const when = `when: "attributes.channel = 'wholesale'"`;
  await open(`from_erp: { since: 2000-01-01, ${when} }`);
  const mine = make({ attributes: { channel: 'wholesale' } });
  make({ attributes: { channel: 'web shop' }, customer: { name: 'Somebody' } });
  await stage.sync();
  expect([entered(), await held()]).toEqual([[mine], []]);
});

test('no order made in the ERP before the start date is exported', async () => {
  await open('from_erp: { since: 2999-01-01 }');
  make();
  await stage.sync();
  expect(entered()).toEqual([]);
});

test('no order made in the ERP that is shipped or cancelled is exported', async () => {
  await open('from_erp: { since: 2000-01-01 }');
  stage.erp.control.shipOrder(make());
  stage.erp.control.cancelOrder(make());
  await stage.sync();
  expect([entered(), await held()]).toEqual([[], []]);
});

test("no order made in the ERP with the number of a buyer's order is exported, since somebody may have entered it by hand", async () => {
  await open('from_erp: { since: 2000-01-01 }');
  const items = [{ product: stage.marketplace.productBySku('SB-0002').id, quantity: '1' }];
  const { number } = stage.marketplace.placeOrder({ customer: buyer, items });
  const own = make();
  const { id } = stage.erp.control.copyOrder(own, undefined, number);
  await stage.sync();
  expect(entered()).toContain(own);
  expect(entered()).not.toContain(id);
  expect(await held()).toMatchObject([{ code: 'erp-reference-reused', params: { order: number, others: [id] } }]);
  stage.erp.control.cancelOrder(id);
  await stage.sync();
  expect([stage.marketplace.orders().length, await held()]).toEqual([2, []]);
});

test('an export rule that fails holds the order, and says why', async () => {
  await open('from_erp: { since: 2000-01-01, when: "$number(note) > 1" }');
  make({ note: 'no number' });
  await stage.sync();
  expect([entered(), await held()]).toMatchObject([[], [{ code: 'order-rule-problem' }]]);
});

test('lines that are changed, added and removed later in the ERP go to the marketplace', async () => {
  await open('from_erp: { since: 2000-01-01 }');
  const id = make();
  await stage.sync();
  stage.erp.control.changeOrder(id, {
    lines: [
      { sku: 'SB-0001', quantity: '6', unit_price: '2.00' },
      { sku: 'SB-0002', quantity: '1', unit_price: '3.00' },
    ],
  });
  await stage.sync();
  expect(linesThere(id)).toEqual(['6 x SB-0001', '1 x SB-0002']);
  stage.erp.control.changeOrder(id, { lines: [{ sku: 'SB-0002', quantity: '1', unit_price: '3.00' }] });
  await stage.sync();
  expect(linesThere(id)).toEqual(['1 x SB-0002']);
  expect([(await stage.sync()).written, await alerts()]).toEqual([0, []]);
});

test('charges changed later in the ERP go to the marketplace: shipping that a create does not take, and a discount', async () => {
  await open('from_erp: { since: 2000-01-01 }');
  const id = make({ shipping: '5.00' });
  await stage.sync();
  expect(there(id)).toMatchObject({ total: '13.00' });
  stage.erp.control.changeOrder(id, { discount: '1.50' });
  await stage.sync();
  expect(there(id)).toMatchObject({ discount: '1.5', total: '11.50' });
  expect([(await stage.sync()).written, await alerts()]).toEqual([0, []]);
});
