import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploymentOf } from '../../src/cli/sandbox-deployment.ts';
import { openSides } from '../../src/demo/sides.ts';
import { sentenceOf } from '../../src/domain/causes/cause.ts';
import { alertOf } from '../../src/shadow/alerts.ts';
import { folderOf } from '../config/folder.ts';
import { ROOT } from '../support/guide.ts';
import { openStage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

const PRESET = `
about: A deployment that is as odd as presets can say
proven: in a test
marketplace:
  version_header: Api-Version
  reference_prefix: /reference/v1
  webhooks: { header: X-Signed, algorithm: hmac-sha512, encoding: hex, prefix: "sha512=" }
  transitions: { accept: take, fulfill: pack, ship: send, reject: refuse }
  statuses: { Void: Canceled, Packed: Fulfilled }
  fields: { order: { discount: rebate, shipping: freight, tax: excise, total: due, delivery_address: ship_to } }
  operations:
    orders.list: { paging: offset }
    products.list: { paging: offset }
    customers.list: { arrays: commas }
products:
  required: [sku, name, license]
  create_fields: { license: L-1 }
`;

test('both sides are in step where the sandbox plays a preset and the configuration extends it', async () => {
  const file = folderOf({ 'deployment.yaml': PRESET })('deployment.yaml');
  const stage = await openStage({
    marketplace: `      extends: ${file}`,
    account: '    customers: { to_marketplace: true }',
    sandbox: { settings: deploymentOf(file).settings },
  });
  const { marketplace, erp } = stage;
  erp.control.seed(3);
  await stage.sync();
  expect(marketplace.products()).toHaveLength(3);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [product] = marketplace.products();
  const order = () => {
    const items = [{ product: product?.id ?? 0, quantity: product?.unitMultiplier ?? 1 }];
    return marketplace.placeOrder({ customer, items }).number;
  };
  const [first, second] = [order(), order()];
  await stage.sync();
  const inErp = (number: string) => erp.control.findOrders(number)[0];
  marketplace.transition(second, 'cancel');
  erp.control.shipOrder(inErp(first)?.id ?? '');
  await stage.sync();
  expect(inErp(second)?.status).toBe('cancelled');
  expect(marketplace.order(first).status).toBe('Shipped');
  expect((await stage.sync()).written).toBe(0);
  const refused = marketplace.requestLog.calls().filter(({ status }) => (status ?? 0) >= 400);
  expect(refused.map(({ url, status }) => `${status} ${url}`)).toEqual([]);
});

test('the charges of an order are read and written under the field names of the deployment', async () => {
  const file = folderOf({ 'deployment.yaml': PRESET })('deployment.yaml');
  const stage = await openStage({
    marketplace: `      extends: ${file}`,
    sandbox: { settings: deploymentOf(file).settings },
  });
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  await stage.sync();
  const [product] = marketplace.products();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'CA' });
  const items = [
    { product: product?.id ?? 0, quantity: product?.unitMultiplier ?? 1, price: { amount: '9.99', currency: 'USD' } },
  ];
  const { number } = marketplace.placeOrder({ customer, items, discount: '2.00', shipping: '12.00' });
  await stage.sync();
  const money = { discount: '2', shipping: '12', tax: '5.4', total: '25.39' };
  expect(erp.control.findOrders(number)[0]).toMatchObject(money);
  const { id } = erp.control.createOrder({
    customer: { marketplace_id: customer },
    lines: [{ sku: product?.sku ?? '', quantity: String(product?.unitMultiplier ?? 1), unit_price: '3.00' }],
    discount: '1.50',
  });
  await stage.sync();
  expect(marketplace.orders().find(({ externalId }) => externalId === id)).toMatchObject({ discount: '1.5' });
});

test('a discount in percent is an amount in the ERP, and its order adds up on both sides', async () => {
  const stage = await openStage({ marketplace: '      fields: { order: { discount_type: discount_type } }' });
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  await stage.sync();
  const [product] = marketplace.products();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'CA' });
  const price = { amount: '40.00', currency: 'USD' };
  const items = [{ product: product?.id ?? 0, quantity: product?.unitMultiplier ?? 1, price }];
  const { number } = marketplace.placeOrder({ customer, items, shipping: '4.00' });
  marketplace.editOrder(number, { discount_amount: '10', discount_type: 'percent' });
  await stage.sync();
  const money = { discount: '4', shipping: '4', tax: '10.8', total: '50.8' };
  expect(erp.control.findOrders(number)[0]).toMatchObject(money);
  expect(marketplace.order(number).total).toBe('50.80');
  expect(await alertOf({ account: 'main', store: stage.store() }, `order-in:${number}`)).toEqual([]);
  marketplace.editOrder(number, { discount_amount: '25' });
  await stage.sync();
  expect(erp.control.findOrders(number)[0]).toMatchObject({ discount: '10', tax: '9.18', total: '43.18' });
  expect((await stage.sync()).written).toBe(0);
});

test('a field name that is configured later is also read of the open orders', async () => {
  const stage = await openStage({ marketplace: '      fields: { order: { discount: discount_amount } }' });
  const { marketplace, erp, configFile } = stage;
  erp.control.seed(1);
  await stage.sync();
  const [product] = marketplace.products();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const price = { amount: '40.00', currency: 'USD' };
  const items = [{ product: product?.id ?? 0, quantity: product?.unitMultiplier ?? 1, price }];
  const { number } = marketplace.placeOrder({ customer, items });
  marketplace.editOrder(number, { discount_amount: '10', discount_type: 'percent' });
  await stage.sync();
  expect(erp.control.findOrders(number)[0]).toMatchObject({ discount: '10' });
  await stage.stop();
  const later = readFileSync(configFile, 'utf8').replace('{ discount: ', '{ discount_type: discount_type, discount: ');
  writeFileSync(configFile, later);
  await stage.sync();
  expect(erp.control.findOrders(number)[0]).toMatchObject({ discount: '4' });
});

test('a charge under an unconfigured name raises an alert by the difference that it makes', async () => {
  const stage = await openStage({ sandbox: { settings: { fieldNames: { order: { shipping_charge: 'freight' } } } } });
  stage.erp.control.seed(1);
  await stage.sync();
  const [product] = stage.marketplace.products();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const price = { amount: '9.99', currency: 'USD' };
  const items = [{ product: product?.id ?? 0, quantity: product?.unitMultiplier ?? 1, price }];
  const { number } = stage.marketplace.placeOrder({ customer, items, shipping: '24.03' });
  await stage.sync();
  const told = await alertOf({ account: 'main', store: stage.store() }, `order-in:${number}`);
  expect(told.map(sentenceOf)).toEqual([
    `The total of order ${number} on the marketplace is 34.02 USD, which is 24.03 USD more than the sum of its parts: lines 9.99 USD, discount 0.00 USD, shipping not shown, tax 0.00 USD`,
  ]);
});

test('an unreadable charge is not 0: its order is held until the marketplace returns an amount', async () => {
  const stage = await openStage({ marketplace: '      fields: { order: { shipping: freight } }' });
  stage.erp.control.seed(1);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  stage.marketplace.editOrder(number, { freight: '12,50' });
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toEqual([]);
  const held = await stage.store().work.held('main');
  expect(held.flatMap(({ heldFor }) => heldFor ?? []).map(sentenceOf)).toEqual([
    `Order ${number} does not fit the documented shape: results[0].freight: expected an amount (marketplace.fields.order.shipping names this field)`,
  ]);
  stage.marketplace.editOrder(number, { freight: { amount: 12.5, currency: 'USD' } });
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toMatchObject([{ shipping: '12.5' }]);
});

test('a webhook is accepted when it is signed as the preset says, and not with the default signature', async () => {
  const file = folderOf({ 'deployment.yaml': PRESET })('deployment.yaml');
  const stage = await openStage({
    marketplace: `      extends: ${file}`,
    sandbox: { settings: deploymentOf(file).settings },
  });
  const app = await stage.start(['receive']);
  const url = `${app.receiverUrl}/webhooks/main/orders`;
  const counted = async () =>
    (await app.core.metrics.webhooks.get()).values
      .filter(({ value }) => value > 0)
      .map(({ labels }) => labels['outcome']);
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const product = stage.marketplace.createProduct({ sku: 'A-1', name: 'Kush', quantity: 9, license: 'L-1' });
  for (const [webhooks, outcome] of [
    [deploymentOf(file).webhooks, 'stored'],
    [{ header: 'X-Signed' }, 'forged'],
  ] as const) {
    stage.marketplace.webhooks.setTargets([{ ...webhooks, url, types: ['order'], secret: WEBHOOK_SECRET }]);
    stage.marketplace.placeOrder({ customer, items: [{ product: product.id, quantity: '1' }] });
    await until(`one was ${outcome}`, async () => (await counted()).includes(outcome));
  }
});

test('an operation with credentials of its own is called with them, and every other one with those of the account', async () => {
  const keys = [
    { scheme: 'App', secret: 'no-orders', owner: 'brand', permissions: { Products: 'write', Customers: 'write' } },
    { scheme: 'Bearer', secret: 'orders-only', owner: 'brand', permissions: { Orders: 'write' } },
  ] as const;
  const own = 'auth: { scheme: bearer, token: orders-only }';
  const stage = await openStage({
    marketplace: `      operations: { orders.list: { ${own} }, orders.get: { ${own} }, orders.patch: { ${own} }, orders.transition: { ${own} } }`,
    sandbox: { keys },
  });
  stage.erp.control.seed(1);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [product] = stage.marketplace.products();
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: product?.id ?? 0, quantity: '12' }] });
  await stage.sync();
  expect(stage.erp.control.findOrders(number)).toHaveLength(1);
  expect(stage.marketplace.requestLog.calls().filter(({ status }) => (status ?? 0) >= 400)).toEqual([]);
});

test('the sandbox starts with every preset that is shipped', async () => {
  for (const file of readdirSync(join(ROOT, 'src/config/presets'))) {
    const { settings } = deploymentOf(file.replace('.yaml', ''));
    const sides = await openSides({ products: 3, seed: 1, settings });
    expect(sides.marketplace.settings()).toMatchObject(settings);
    await sides.close();
  }
});
