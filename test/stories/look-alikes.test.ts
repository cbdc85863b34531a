import { expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import type { AnyCause } from '../../src/domain/causes/entry.ts';
import type { IntentKind } from '../../src/store/intent-kinds.ts';
import { run } from '../cli/capture.ts';
import { read, reconcile, standStill } from '../support/by-hand.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { tamper } from '../support/tamper.ts';

/* The other side may keep no id of ours. Then the entity that a lost create made can only be recognised by its likeness. */

let stage: Stage;

const store = () => stage.store();

const make = (path: string, body: unknown) => onMarketplace<{ id: number }>(stage, 'POST', path, body);

/** Makes the state after a create whose answer was lost long ago. */
async function lost(kind: IntentKind, key: string): Promise<void> {
  await store().intents.open({ account: 'main', kind, key, externalId: key });
  await tamper(stage, 'update intents set sent_at_ms = 0, left_at_ms = 0');
}

async function doubts() {
  const { stdout } = await run(['jobs', 'list', '--json', '--config', stage.configFile]);
  const told = JSON.parse(stdout) as { doubts: { evidence: [AnyCause]; candidates: string[]; choices: string[] }[] };
  return told.doubts.map(({ evidence: [{ code, params }], candidates, choices }) => ({
    evidence: { code, params },
    candidates,
    choices: choices.length,
  }));
}

const doubtAbout = (what: string, ...ids: string[]) => ({
  evidence: cause('look-alikes', { what, found: ids }),
  candidates: ids,
  // The choices: any of the candidates, create once more, or never.
  choices: ids.length + 2,
});

async function openForOrders() {
  stage = await openStage();
  stage.erp.control.seed(1);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { id: product } = stage.marketplace.productBySku('SB-0001');
  const place = (quantity: string) => stage.marketplace.placeOrder({ customer, items: [{ product, quantity }] }).number;
  const lines = [{ sku: 'SB-0001', quantity: '3', unit_price: '2.00' }];
  const enter = () => stage.erp.control.createOrder({ customer: { marketplace_id: customer }, lines }).id;
  return { place, enter };
}

test('an order with a lost create is not entered again while another one may be it', async () => {
  const { place, enter } = await openForOrders();
  await lost('order-out', enter());
  const alike = place('3');
  place('4');
  await stage.sync();
  expect(await doubts()).toEqual([doubtAbout('Similar orders without an external_id', alike)]);
  expect(stage.marketplace.orders()).toHaveLength(2);
});

test('an order without lines yet may be the one of a lost create', async () => {
  const { place, enter } = await openForOrders();
  const context = await standStill(stage);
  const id = enter();
  await lost('order-out', id);
  const number = place('4');
  await read(context, 'read:erp-orders');
  await read(context, 'read:orders');
  await tamper(stage, 'update orders set has_lines = 0');
  await reconcile(context, 'order-out', id);
  expect(await doubts()).toEqual([doubtAbout('Similar orders without an external_id', number)]);
});

test('a customer is not created again while another customer may be the one of the lost create', async () => {
  stage = await openStage({ account: '\n    customers: { to_marketplace: true, to_erp: true, poll: 100ms }' });
  await stage.sync();
  const { id } = stage.erp.control.addCustomer({ name: 'Corner Shop' });
  const { id: alike } = await make('/customers/', { owner_id: 4711, name: 'Corner Shop' });
  await lost('customer-out', id);
  await stage.sync();
  expect(await doubts()).toEqual([doubtAbout('Customers without an external id have its name', String(alike))]);
});

test('a payment with a lost create is not recorded again while another one may be it', async () => {
  stage = await openStage({ account: '    payments: { to_erp: true, types: { Bank transfer: wire } }' });
  stage.erp.control.seed(1);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const order = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
  await stage.sync();
  const paidAt = '2030-01-31T08:30:00.000Z';
  const { id } = await make('/order-payments/', { order, total: '7', payment_type: 'wire', payment_date: paidAt });
  const [erpOrder] = stage.erp.control.findOrders(order);
  const alike = { order_id: erpOrder?.id ?? '', amount: '7', method: 'Bank transfer', received_at: paidAt };
  const { id: paid } = stage.erp.control.addPayment(alike);
  await lost('payment-in', String(id));
  await stage.sync();
  expect(await doubts()).toEqual([doubtAbout('Payments without a marketplace_id look like it', String(paid))]);
  expect(stage.erp.control.state().payments).toHaveLength(1);
});
