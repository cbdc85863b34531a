import { expect, test } from 'vitest';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage } from '../support/stage.ts';

/** A deployment whose orders show neither an address nor a total. */
const SANDBOX = { settings: { orderTotals: false } };
const CUSTOMERS = '    customers: { to_erp: true, poll: 100ms }';

async function open(account: string) {
  const stage = await openStage({ account, sandbox: SANDBOX });
  stage.erp.control.seed(1);
  stage.erp.control.setStock('SB-0001', '50');
  await stage.sync();
  const order = (customer: number) =>
    stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] }).number;
  return {
    ...stage,
    order,
    taxOf: (number: string) => Number(stage.erp.control.findOrders(number)[0]?.tax),
    told: async () =>
      (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ name, causes }) =>
        causes.map(({ code }) => `${name} ${code}`),
      ),
  };
}

test("the tax depends on the customer's delivery address where the order has none", async () => {
  const stage = await open(CUSTOMERS);
  const [taxed, free] = ['CA', 'NV'].map((state) =>
    stage.order(stage.marketplace.addCustomer({ name: `Shop in ${state}`, state })),
  );
  await stage.sync();
  expect(stage.taxOf(taxed ?? '')).toBeGreaterThan(0);
  expect(stage.taxOf(free ?? '')).toBe(0);
  expect(await stage.told()).toEqual([]);
});

test('an unknown state raises an alert instead of no tax, until somebody enters the state', async () => {
  const stage = await open(CUSTOMERS);
  const body = { owner_id: 4711, name: 'Corner Shop' };
  const { id } = await onMarketplace<{ id: number }>(stage, 'POST', '/customers/', body);
  const number = stage.order(id);
  await stage.sync();
  expect([stage.taxOf(number), await stage.told()]).toEqual([0, [`order-in:${number} tax-state-unknown`]]);
  stage.marketplace.changeRecord('customers', id, { delivery_address: { state: 'NV' } });
  await stage.sync();
  expect([stage.taxOf(number), await stage.told()]).toEqual([0, []]);
});

test('where no state is read at all, one alert is raised for the account, until the settings name the state', async () => {
  const stage = await open('');
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [first, second] = [stage.order(customer), stage.order(customer)];
  await stage.sync();
  expect(await stage.told()).toEqual(['orders:tax-state tax-states-unread']);
  for (const number of [first, second]) {
    expect(stage.erp.control.findOrders(number)[0]?.note).toContain('The excise tax');
  }
  stage.marketplace.changeSettings({ orderTotals: true });
  stage.marketplace.editOrder(second, { notes: 'shown with its address' });
  await stage.sync();
  expect(await stage.told()).toEqual([]);
});

test('an order without a state raises an alert where other orders have one', async () => {
  const stage = await open('');
  stage.marketplace.changeSettings({ orderTotals: true });
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  stage.order(customer);
  await stage.sync();
  stage.marketplace.changeSettings({ orderTotals: false });
  const number = stage.order(customer);
  await stage.sync();
  expect(await stage.told()).toContain(`order-in:${number} tax-state-unknown`);
});

test("the tax that a person enters in the ERP stays while the order's tax is unknown", async () => {
  const stage = await open('');
  const number = stage.order(stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' }));
  await stage.sync();
  const [order] = stage.erp.control.findOrders(number);
  stage.erp.control.changeOrder(order?.id ?? '', { tax: '5.40', total: '25.40' });
  await stage.sync();
  expect(stage.taxOf(number)).toBe(5.4);
  expect(await stage.told()).toEqual(['orders:tax-state tax-states-unread']);
});
