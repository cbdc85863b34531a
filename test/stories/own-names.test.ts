import { expect, test } from 'vitest';
import { deploymentOf } from '../../src/cli/sandbox-deployment.ts';
import { run } from '../cli/capture.ts';
import { folderOf } from '../config/folder.ts';
import { told } from '../support/causes.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type StageOptions } from '../support/stage.ts';

/** The sandbox plays the deployment, and the configuration extends it. */
async function openDeployment(settings: string, options: StageOptions = {}) {
  const preset = `about: A deployment with names of its own\nproven: in a test\n${settings}`;
  const file = folderOf({ 'deployment.yaml': preset })('deployment.yaml');
  const sandbox = { settings: deploymentOf(file).settings };
  const stage = await openStage({ marketplace: `      extends: ${file}`, sandbox, ...options });
  return {
    ...stage,
    sent: () => stage.marketplace.requestLog.calls().filter(({ method }) => method !== 'GET'),
    refused: () =>
      stage.marketplace.requestLog
        .calls()
        .filter(({ status }) => (status ?? 0) >= 400)
        .map(({ url, status }) => `${status} ${url}`),
    held: async () => (await stage.store().work.held()).map(({ key, heldFor }) => `${key}: ${told(heldFor)}`),
  };
}

const LISTING_NAMES = `
marketplace:
  fields:
    product:
      price: pricing.case
      unit_multiplier: pricing.units
      category: kind
      external_ids: foreign_ids
      archived: is_gone
  listing_states: { Retired: Archived, Live: Available }
products: { required: [sku, kind] }
`;

test('a listing is created, repriced, archived and restored under the field names of the deployment', async () => {
  const account = '    products: { category: attributes.category }';
  const stage = await openDeployment(LISTING_NAMES, { account });
  const { marketplace, erp } = stage;
  const base = { unit_multiplier: '12', price: { amount: '2.00', currency: 'USD' }, on_hand: '36' };
  erp.control.addProducts([{ sku: 'A-1', name: 'Kush', ...base, attributes: { category: 'Flower' } }]);
  await stage.sync();
  expect([stage.refused(), await stage.held()]).toEqual([[], []]);
  const there = () => marketplace.products()[0];
  expect(there()).toMatchObject({ sku: 'A-1', price: { amount: '24' }, unitMultiplier: '12', quantity: '36' });
  const id = there()?.id ?? 0;
  expect(Object.values(there()?.externalIds ?? {})).toHaveLength(1);
  expect(await onMarketplace(stage, 'GET', `/products/?id=${id}`)).toMatchObject({
    results: [
      { pricing: { case: { amount: 24 }, units: 12 }, kind: expect.any(Number) as unknown, listing_state: 'Live' },
    ],
  });
  expect((await stage.sync()).written).toBe(0);
  erp.control.setProduct('A-1', { price: { amount: '2.50', currency: 'USD' }, unit_multiplier: '6' });
  await stage.sync();
  expect(there()).toMatchObject({ price: { amount: '15' }, unitMultiplier: '6' });
  marketplace.setProduct(id, { wholesale_price: { amount: 16, currency: 'USD' } });
  await stage.sync();
  expect(there()?.price.amount).toBe('15');
  erp.control.setProduct('A-1', { active: false });
  await stage.sync();
  expect(there()?.archived).toBe(true);
  erp.control.setProduct('A-1', { active: true });
  await stage.sync();
  expect(there()).toMatchObject({ archived: false, price: { amount: '15' } });
  expect((await stage.sync()).written).toBe(0);
  expect([stage.refused(), await stage.held()]).toEqual([[], []]);
  expect(stage.sent().filter(({ body }) => /wholesale_price|unit_multiplier|category|external_ids/.test(body))).toEqual(
    [],
  );
});

test('the addresses of customers are read under the field names of the deployment', async () => {
  const names = 'marketplace: { fields: { customer: { delivery_address: ship_to, corporate_address: seat } } }';
  const stage = await openDeployment(names, { account: '    customers: { to_erp: true, to_marketplace: true }' });
  const { marketplace, erp } = stage;
  const there = { address: '1 Main St', city: 'Fresno', state: 'CA', zipcode: '93701' };
  const { id } = await onMarketplace<{ id: number }>(stage, 'POST', '/customers/', {
    name: 'Corner Shop',
    owner_id: 4711,
  });
  await onMarketplace(stage, 'PUT', `/customers/${id}/delivery-address/`, there);
  await stage.sync();
  expect(erp.control.state().customers).toMatchObject([{ name: 'Corner Shop', addresses: { delivery: there } }]);
  const [known] = erp.control.state().customers;
  const moved = { ...there, address: '2 High St' };
  erp.control.setCustomer(known?.id ?? '', { addresses: { delivery: moved } });
  await stage.sync();
  const shown = await onMarketplace<{ results: unknown[] }>(stage, 'GET', '/customers/');
  expect(shown.results).toMatchObject([{ ship_to: moved }]);
  expect((await stage.sync()).written).toBe(0);
  expect(marketplace.requestLog.calls().some(({ status }) => (status ?? 0) >= 400)).toBe(false);
});

const STATUSES = `
marketplace:
  transitions: { accept: accept, fulfill: fulfill, ship: ship, reject: reject }
  statuses:
    Placed: Submitted
    New: Submitted
    Confirmed: Accepted
    Packed: Fulfilled
    Gone: Shipped
    Done: Complete
    Void: Canceled
`;

test('an order goes from Submitted to Complete where the deployment has its own word for every status', async () => {
  const stage = await openDeployment(STATUSES);
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  await stage.sync();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [product] = marketplace.products();
  const { number } = marketplace.placeOrder({ customer, items: [{ product: product?.id ?? 0, quantity: '12' }] });
  const shown = async () =>
    (await onMarketplace<{ status: string }>(stage, 'GET', `/orders-received/${number}/`)).status;
  const known = async () => (await stage.store().orders.get('main', number))?.order.status;
  expect(await shown()).toBe('Placed');
  await stage.sync();
  const inErp = () => erp.control.findOrders(number)[0];
  expect([inErp()?.status, await known()]).toEqual(['reserved', 'Submitted']);
  marketplace.transition(number, 'accept');
  await stage.sync();
  expect([await shown(), await known()]).toEqual(['Confirmed', 'Accepted']);
  erp.control.shipOrder(inErp()?.id ?? '');
  await stage.sync();
  expect([await shown(), await known()]).toEqual(['Gone', 'Shipped']);
  marketplace.transition(number, 'complete');
  await stage.sync();
  expect([await shown(), await known()]).toEqual(['Done', 'Complete']);
  expect((await stage.sync()).written).toBe(0);
  expect([stage.refused(), await stage.held()]).toEqual([[], []]);
});

test('an order of the ERP is created, and orders are listed, with the words of the deployment', async () => {
  const stage = await openDeployment(STATUSES);
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  await stage.sync();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const lines = [{ sku: 'SB-0001', quantity: '12', unit_price: '2.00' }];
  erp.control.createOrder({ customer: { marketplace_id: customer }, lines });
  await stage.sync();
  expect(marketplace.orders()).toMatchObject([{ status: 'Accepted' }]);
  expect(stage.sent().filter(({ operation }) => operation === 'orders.create')).toMatchObject([
    { body: expect.stringContaining('"status":"Confirmed"') as unknown },
  ]);
  const { client } = stage.context();
  const options = { lane: 'operator', signal: AbortSignal.timeout(600_000) } as const;
  const listed = async (status: string) => (await client.list('orders.list', { query: { status } }, options)).rows;
  expect(await listed('Accepted')).toMatchObject([{ status: 'Accepted' }]);
  expect(await listed('Submitted')).toEqual([]);
  expect(marketplace.requestLog.calls().some(({ url }) => url.includes('status=Placed'))).toBe(true);
  expect(stage.refused()).toEqual([]);
});

test('a discount is written with its type in the word of the deployment', async () => {
  const names = `
marketplace:
  fields: { order: { discount: discount, discount_type: discount_type } }
  discount_types: { flat: amount, pct: percent }
`;
  const stage = await openDeployment(names);
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  await stage.sync();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [product] = marketplace.products();
  const price = { amount: '40.00', currency: 'USD' };
  const { number } = marketplace.placeOrder({
    customer,
    items: [{ product: product?.id ?? 0, quantity: '12', price }],
  });
  marketplace.editOrder(number, { discount_amount: '10', discount_type: 'percent' });
  await stage.sync();
  expect(erp.control.findOrders(number)[0]).toMatchObject({ discount: '48', total: '432' });
  const lines = [{ sku: product?.sku ?? '', quantity: '12', unit_price: '3.00' }];
  const { id } = erp.control.createOrder({ customer: { marketplace_id: customer }, lines, discount: '1.50' });
  await stage.sync();
  const made = () => marketplace.orders().find(({ externalId }) => externalId === id);
  expect(made()).toMatchObject({ discount: '1.5', total: '34.50' });
  erp.control.changeOrder(id, { discount: '2.50' });
  await stage.sync();
  expect(made()).toMatchObject({ discount: '2.5', total: '33.50' });
  const withDiscount = stage.sent().filter(({ body }) => body.includes('"discount"'));
  expect(withDiscount.map(({ operation }) => operation)).toEqual(['orders.create', 'orders.patch']);
  expect(withDiscount.every(({ body }) => body.includes('"discount_type":"flat"'))).toBe(true);
  expect([stage.refused(), await stage.held()]).toEqual([[], []]);
});

test('"stockbridge api" sends and prints the field names of the deployment, and statuses in its words', async () => {
  const stage = await openDeployment(`${STATUSES}  fields: { order: { shipping: freight } }`);
  const { marketplace, configFile } = stage;
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { id } = marketplace.createProduct({ sku: 'A', name: 'A', quantity: 5 });
  const { number } = marketplace.placeOrder({ customer, items: [{ product: id, quantity: '1' }], shipping: '3.00' });
  const api = async (...args: string[]) => {
    const { stdout, stderr } = await run(['api', ...args, '--config', configFile]);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const body = JSON.stringify({ freight: 4, discount_type: 'amount' });
  const file = folderOf({ 'body.json': body })('body.json');
  await api('orders.patch', '--param', `number=${number}`, '--body', file);
  expect(await api('orders.get', '--param', `number=${number}`)).toMatchObject({
    freight: { amount: 4 },
    discount_type: 'amount',
  });
  expect(await api('orders.list', '--param', 'status=Submitted')).toMatchObject({ count: 1 });
  expect(await api('orders.list', '--param', 'status=Submitted', '--dry-run', '--json')).toMatchObject({
    url: expect.stringContaining('status=Placed') as unknown,
  });
  expect(stage.refused()).toEqual([]);
});

test("the buyer of an order is read from the deployment's field", async () => {
  const stage = await openDeployment('marketplace: { fields: { order: { customer_name: buyer.title } } }');
  const { marketplace, erp } = stage;
  erp.control.seed(1);
  await stage.sync();
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [product] = marketplace.products();
  const items = [{ product: product?.id ?? 0, quantity: '12' }];
  marketplace.placeOrder({ customer, items, fields: { buyer: { title: 'Corner Shop & Sons' } } });
  await stage.sync();
  expect(erp.control.state().customers).toMatchObject([{ name: 'Corner Shop & Sons' }]);
});
