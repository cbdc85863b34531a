import { expect, test } from 'vitest';
import { FLOW_RUNS } from '../../src/flows/runs.ts';
import { COLLECTIONS } from '../../src/shadow/collections.ts';
import { standStill } from '../support/by-hand.ts';
import { told } from '../support/causes.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

let stage: Stage;

const ON = `
    customers:
      to_marketplace: true
      to_erp: true
      statuses: { Key account: VIP }
      poll: 100ms`;
const open = async (account = ON) => {
  stage = await openStage({ account });
};

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly email?: string | null;
  readonly license_number?: string;
  readonly is_archived: boolean;
  readonly external_ids: Record<string, string>;
  readonly delivery_address: Record<string, unknown> | null;
  readonly status: { readonly state: string } | null;
}

const customers = async () =>
  (await onMarketplace<{ results: Shown[] }>(stage, 'GET', '/customers/?page_size=500')).results;
const addCustomer = async (fields: Record<string, unknown>) =>
  (await onMarketplace<Shown>(stage, 'POST', '/customers/', { owner_id: 4711, ...fields })).id;

const erp = () => stage.erp.control;
const erpCustomers = () => erp().state().customers;
const held = async () =>
  (await stage.store().work.held()).map(({ flow, key, heldFor }) => `${flow}/${key}: ${told(heldFor)}`);
const links = async () =>
  (await stage.store().mappings.list('main', 'customer', 0, 100)).map(
    ({ erpId, marketplaceId, how }) => `${erpId}=${marketplaceId} ${how}`,
  );

const ADDRESS = { address: '1 Main St', city: 'Portland', state: 'OR', zipcode: '97201' };

test('a customer of the ERP is created, changed, archived and restored without a needless call', async () => {
  await open();
  await onMarketplace(stage, 'POST', '/customer-statuses/', { state: 'VIP' });
  const { id } = erp().addCustomer({
    name: 'Corner Shop',
    email: 'buyer@corner.example',
    license_number: 'L-1',
    status: 'key account',
    active: true,
    addresses: { delivery: ADDRESS },
  });
  await stage.sync();
  expect(await customers()).toMatchObject([
    {
      name: 'Corner Shop',
      email: 'buyer@corner.example',
      license_number: 'L-1',
      external_ids: { stockbridge: id },
      delivery_address: ADDRESS,
      status: { state: 'VIP' },
    },
  ]);
  expect((await stage.sync()).written).toBe(0);

  erp().setCustomer(id, {
    name: 'Corner Shop West',
    email: '',
    addresses: { delivery: { ...ADDRESS, city: 'Salem' } },
  });
  await stage.sync();
  expect(await customers()).toMatchObject([
    { name: 'Corner Shop West', email: null, license_number: 'L-1', delivery_address: { ...ADDRESS, city: 'Salem' } },
  ]);

  erp().setCustomer(id, { deleted: true });
  await stage.sync();
  expect(await customers()).toMatchObject([{ is_archived: true }]);
  erp().setCustomer(id, { deleted: false });
  await stage.sync();
  expect(await customers()).toMatchObject([{ is_archived: false }]);
  expect((await stage.sync()).written).toBe(0);
});

test('customer data that the ERP does not state is left unchanged: fields, addresses, and whether it is active', async () => {
  await open();
  const there = await addCustomer({ name: 'Old Name', phone: '5035550100', license_number: 'l-1', is_archived: true });
  const { id } = erp().addCustomer({ name: 'New Name', marketplace_id: there });
  await stage.sync();
  expect(await links()).toEqual([`${id}=${there} external_id`]);
  expect(await customers()).toMatchObject([{ name: 'Old Name', phone: '5035550100', is_archived: true }]);
  await onMarketplace(stage, 'PATCH', `/customers/${there}/`, { is_archived: false });
  await stage.sync();
  expect(await customers()).toMatchObject([{ name: 'New Name', phone: '5035550100', license_number: 'l-1' }]);
  erp().setCustomer(id, { addresses: { delivery: { city: 'Salem' } } });
  await stage.sync();
  expect(await stage.store().facts.get('main', `alert:customer-out:${id}`)).toContain('"code":"address-incomplete"');
});

test('customers match by licence number, then by e-mail address; one with two matches waits for an operator', async () => {
  await open();
  const byLicense = await addCustomer({ name: 'A', license_number: 'L-1', email: 'other@a.example' });
  const byEmail = await addCustomer({ name: 'B', email: 'b@b.example' });
  const one = await addCustomer({ name: 'Twin', license_number: 'L-9' });
  const two = await addCustomer({ name: 'Twin', license_number: ' l-9' });
  const a = erp().addCustomer({ name: 'A', license_number: 'l-1', email: 'b@b.example' });
  const b = erp().addCustomer({ name: 'B', email: 'B@b.example', license_number: 'L-2' });
  const c = erp().addCustomer({ name: 'Twin', license_number: 'L-9' });
  await stage.sync();
  expect(await links()).toEqual([`${a.id}=${byLicense} license_number`, `${b.id}=${byEmail} email`]);
  expect([await customers(), erpCustomers()].map((side) => side.length)).toEqual([4, 3]);
  const reasons = await held();
  expect(reasons.find((reason) => reason.startsWith(`customer-out/${c.id}`))).toMatch(`${one} (Twin), ${two} (Twin)`);

  const { store } = stage.app().core.state;
  await store.links.link(
    { account: 'main', kind: 'customer', marketplaceId: String(two), erpId: c.id, how: 'operator' },
    false,
    'me',
  );
  await onMarketplace(stage, 'PATCH', `/customers/${one}/`, { license_number: 'L-10' });
  await stage.sync();
  expect(await held()).toEqual([]);
  expect((await customers()).find(({ id }) => id === two)?.external_ids).toEqual({ stockbridge: c.id });
  expect(erpCustomers().find(({ marketplace_id: id }) => id === one)).toMatchObject({ license_number: 'L-10' });
  expect((await stage.sync()).written).toBe(0);
});

test('a customer create with a lost answer makes no second customer, on either side', async () => {
  await open();
  const { id } = erp().addCustomer({ name: 'Only in the ERP' });
  const there = await addCustomer({ name: 'Only on the marketplace', email: 'only@there.example' });
  stage.marketplace.faults.set({ kind: 'reset-after', operation: 'customers.create', times: 1 });
  erp().inject({ kind: 'lose-answer', method: 'POST', path: '/v1/customers' });
  await stage.sync();
  expect((await customers()).map(({ name }) => name).toSorted()).toEqual([
    'Only in the ERP',
    'Only on the marketplace',
  ]);
  expect(erpCustomers()).toHaveLength(2);
  expect(erpCustomers()[1]).toMatchObject({ name: 'Only on the marketplace', email: 'only@there.example' });
  expect(await links()).toHaveLength(2);
  const { journal } = stage.store();
  const outcomes = async (flow: string, key: string) =>
    (await journal.of('main', flow, key, 10))
      .filter(({ action }) => action.endsWith('create'))
      .map(({ outcome }) => outcome);
  expect(await outcomes('customer-out', id)).toEqual(['noted', 'unknown']);
  expect(await outcomes('customer-in', String(there))).toEqual(['noted', 'unknown']);
  expect((await stage.sync()).written).toBe(0);
});

test('the customer of an order is the one that both sides have, and is created with the order only without a match', async () => {
  await open();
  erp().seed(1);
  const known = await addCustomer({ name: 'Known', license_number: 'L-1' });
  const fresh = await addCustomer({ name: 'Fresh', license_number: 'L-2' });
  const { id } = erp().addCustomer({ name: 'Known Ltd', license_number: 'L-1' });
  await stage.sync();
  const product = stage.marketplace.productBySku('SB-0001').id;
  for (const customer of [known, fresh]) {
    stage.marketplace.placeOrder({ customer, items: [{ product, quantity: '1' }] });
  }
  await stage.sync();
  expect(erpCustomers().map(({ name }) => name)).toEqual(['Known Ltd', 'Fresh']);
  const orders = erp()
    .state()
    .orders.map(({ customer }) => customer.id);
  expect(new Set(orders)).toEqual(new Set([id, erpCustomers()[1]?.id]));
});

test.each(['customer-in', 'customer-out', 'order-in'] as const)(
  'a customer that was entered by hand on the other side after its last read is linked and not created again (%s)',
  async (flow) => {
    await open();
    erp().seed(1);
    // A running worker would look at the same keys.
    const context = await standStill(stage);
    const there = await addCustomer({ name: 'Corner Shop', license_number: 'L-1' });
    const { id } = erp().addCustomer({ name: 'Corner Shop Ltd', license_number: 'L-1' });
    const product = stage.marketplace.productBySku('SB-0001').id;
    const { number } = stage.marketplace.placeOrder({ customer: there, items: [{ product, quantity: '1' }] });
    const look = (key: string) => ({ key, lane: 'poll', signal: AbortSignal.timeout(600_000) }) as const;
    const live = async () => ({ dryRun: false, paused: null, brake: null });
    // Only the side whose customer is looked at is read.
    for (const name of flow === 'customer-out' ? (['erp-customers'] as const) : (['customers', 'orders'] as const))
      await COLLECTIONS[name].changes(context, look('all'));
    const key = { 'customer-in': String(there), 'customer-out': id, 'order-in': number }[flow];
    await FLOW_RUNS[flow].reconcile(context, look(key), live);
    await stage.stop();
    await stage.sync();
    expect([await customers(), erpCustomers()].map((side) => side.length)).toEqual([1, 1]);
    expect(await links()).toEqual([`${id}=${there} license_number`]);
  },
);

test.each(['licence number', 'e-mail address'] as const)(
  'a buyer who registers and orders at once is the ERP customer with the same %s, and not a second one',
  async (sign) => {
    await open();
    erp().seed(1);
    const context = await standStill(stage);
    const { id } = erp().addCustomer({ name: 'Corner Shop Ltd', license_number: 'L-1', email: 'shop@corner.example' });
    const signs = sign === 'licence number' ? { license_number: 'L-1' } : { email: 'shop@corner.example' };
    const there = await addCustomer({ name: 'Corner Shop', ...signs });
    const product = stage.marketplace.productBySku('SB-0001').id;
    const { number } = stage.marketplace.placeOrder({ customer: there, items: [{ product, quantity: '1' }] });
    const look = { key: number, lane: 'poll', signal: AbortSignal.timeout(600_000) } as const;
    for (const name of ['erp-customers', 'orders'] as const)
      await COLLECTIONS[name].changes(context, { ...look, key: 'all' });
    await FLOW_RUNS['order-in'].reconcile(context, look, async () => ({ dryRun: false, paused: null, brake: null }));
    expect(erpCustomers().map((customer) => customer.id)).toEqual([id]);
    await stage.stop();
    await stage.sync();
    expect([(await customers()).length, erpCustomers().map((customer) => customer.id)]).toEqual([1, [id]]);
    expect(erp().findOrders(number)).toMatchObject([{ customer: { id } }]);
  },
);

test('the daemon notices changes of customers on either side by itself', async () => {
  await open();
  await stage.start();
  const { id } = erp().addCustomer({ name: 'Corner Shop' });
  const made = await until('the customer is made', async () => (await customers())[0]);
  await onMarketplace(stage, 'PATCH', `/customers/${made.id}/`, { name: 'Renamed by hand' });
  await until('its name is put right', async () => (await customers())[0]?.name === 'Corner Shop');
  await addCustomer({ name: 'Newcomer' });
  await until('the newcomer is in the ERP', () => erpCustomers().some(({ name }) => name === 'Newcomer'));
  erp().setCustomer(id, { active: false });
  await until('it is archived', async () => (await customers())[0]?.is_archived);
});

test('without the section `customers`, customers are neither read nor created', async () => {
  await open('');
  erp().addCustomer({ name: 'Corner Shop' });
  await addCustomer({ name: 'Newcomer' });
  await stage.sync();
  expect([await customers(), erpCustomers()].map((side) => side.length)).toEqual([1, 1]);
  expect(
    erp()
      .requests()
      .filter(({ url }) => url.startsWith('/v1/customers')),
  ).toEqual([]);
});
