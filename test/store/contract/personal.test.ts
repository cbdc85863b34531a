import { expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { at, order, orderBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const personal = () => shelf().store.personal;
const IDS = { marketplaceId: 5, erpId: 'C-5' };
const NAME = 'Ann Example';

async function given(status = 'Complete'): Promise<void> {
  const { store } = shelf();
  const customer = {
    id: 5,
    name: NAME,
    modified: at(1),
    archived: false,
    externalId: null,
    licenseNumber: null,
    email: null,
  };
  const content = JSON.stringify({ id: 5, name: NAME, contact: { phone: '5035550100' } });
  const rows = [{ customer, content }];
  await store.customers.record({ account: 'main', rows, invalidRows: [], window: null, lane: 'poll' });
  await store.erp.recordCustomers('main', [{ id: 'C-5', name: NAME, marketplaceId: 5, changedAt: at(1) }], 'poll');
  await store.links.link(
    { account: 'main', kind: 'customer', marketplaceId: '5', erpId: 'C-5', how: 'operator' },
    false,
    'a test',
  );
  await store.orders.record(orderBatch([order({ number: 'N-1', status, customer: { id: 5, name: NAME } })]));
  const entry = { account: 'main', flow: 'order-in', key: 'N-1', action: 'create', target: 'N-1', before: null };
  await store.journal.add({ ...entry, after: `12.50 USD for ${NAME}`, why: 'new', outcome: 'written', answer: '' });
}

test('a customer is found by its id on either side, and all stored data of it is listed', async () => {
  await given();
  expect(await personal().find('main', '5')).toEqual([IDS]);
  expect(await personal().find('main', 'C-5')).toEqual([IDS]);
  expect(await personal().find('main', '6')).toEqual([]);
  const kept = await personal().rows('main', IDS);
  expect(Object.keys(kept)).toEqual(
    expect.arrayContaining(['customers', 'erp_customers', 'mappings', 'orders', 'order_lines', 'journal', 'work']),
  );
  expect(JSON.stringify(kept)).toContain('5035550100');
  expect(kept['mappings']).toMatchObject([{ kind: 'customer', echoes: '{}' }]);
});

test('open orders of a customer are listed', async () => {
  await given('Accepted');
  expect(await personal().openOrders('main', IDS, 5)).toEqual(['N-1']);
});

test('erasing a customer removes its ids, and the amounts of its orders', async () => {
  await given();
  expect(await personal().openOrders('main', IDS, 5)).toEqual([]);
  expect(await personal().forget('main', IDS, 'a test')).toMatchObject({
    orders: 1,
    rows: { customers: 1, journal: 2 },
  });
  const left = JSON.stringify(await personal().rows('main', IDS));
  expect(left).not.toContain('Ann');
  expect(left).not.toContain('5035550100');
  expect(left).toContain('12.50 USD for [forgotten]');
  expect(await personal().find('main', 'C-5')).toEqual([IDS]);
  expect((await shelf().store.orders.get('main', 'N-1'))?.order.customer).toEqual({ id: 5, name: null });
});

test('erasing a customer removes its link acts, also those that an earlier version recorded under the kind', async () => {
  await given();
  const { store } = shelf();
  const noted = { account: 'main', action: 'map.link', target: 'x', before: null, why: '', outcome: 'noted' } as const;
  for (const [flow, key] of [
    ['customer', 'C-5'],
    ['customer-out', 'C-5'],
    ['order', 'N-1'],
    ['order-in', 'N-1'],
  ] as const) {
    await store.journal.add({ ...noted, flow, key, after: `linked for ${NAME}`, answer: '' });
  }
  await personal().forget('main', IDS, 'a test');
  const entries = (await store.journal.before(null, 100)).filter(({ action }) => action === 'map.link');
  expect(entries).toHaveLength(5);
  expect(JSON.stringify(entries)).not.toContain(NAME);
});

test('texts of a side about a person are erased in any spelling of the name, also a name of two letters', async () => {
  await given();
  const { store } = shelf();
  const other = order({ number: 'N-2', status: 'Complete', customer: { id: 5, name: 'Li' } });
  await store.orders.record(orderBatch([other]));
  const written = { account: 'main', flow: 'order-in', action: 'create', before: null, why: 'new' };
  for (const [after, answer] of [
    ['2 pieces for Li', 'Sorry, ANN  Exampel'],
    ['List for ANN   example', 'No more for Li'],
  ] as const) {
    await store.journal.add({ ...written, key: 'N-1', target: 'N-1', after, outcome: 'refused', answer });
  }
  await store.work.mark([{ account: 'main', flow: 'order-in', key: 'N-2' }], 'poll', 'changed');
  const version = (await store.work.get({ account: 'main', flow: 'order-in', key: 'N-2' }))?.version ?? 0;
  const failing = { account: 'main', flow: 'order-in', key: 'N-2' } as const;
  await store.work.fail(failing, version, 'erp-refused', 'Sorry, A. Example: her credit is used up', 1);
  await personal().forget('main', IDS, 'a test');
  const left = JSON.stringify(await personal().rows('main', IDS));
  expect(left).not.toMatch(/\bLi\b|exampel|example/i);
  expect(left).toContain('2 pieces for [forgotten]');
  expect(left).toContain('List for [forgotten]');
});

test('a name with quotes and line breaks is erased, also where a text quotes it as JSON', async () => {
  await given();
  const { store } = shelf();
  const name = 'Joe "Canary"\nC:\\Canary\u009b31m';
  await store.orders.record(orderBatch([order({ number: 'N-2', status: 'Complete', customer: { id: 5, name } })]));
  const written = { account: 'main', flow: 'order-in', key: 'N-2', action: 'create', target: 'N-2', before: null };
  for (const after of [`12.50 USD for ${name}`, `name ${JSON.stringify(name)}`, JSON.stringify({ for: name })]) {
    await store.journal.add({ ...written, after, why: 'new', outcome: 'written', answer: '' });
  }
  const held = { account: 'main', flow: 'customer-out', key: 'C-5' } as const;
  await store.work.mark([held], 'poll', 'changed');
  const value = JSON.stringify(name);
  const version = (await store.work.get(held))?.version ?? 0;
  await store.work.hold(held, version, [cause('customer-field', { field: 'name', value, problem: 'too long' })]);
  expect(JSON.stringify(await personal().rows('main', IDS))).toContain('too long');
  await personal().forget('main', IDS, 'a test');
  const left = JSON.stringify(await personal().rows('main', IDS));
  expect(left).not.toContain('Canary');
  expect(left).toContain('12.50 USD for [forgotten]');
});

const LATER = Date.parse(at(0)) + 86_400_000;
const old = (kind: 'orders' | 'customers' | 'erp-orders', after = '', limit = 10) =>
  personal().forgetOld('main', kind, { beforeMs: LATER, after, limit });

test('old orders and customers are erased in batches, each once, and counted', async () => {
  await given();
  const { store } = shelf();
  await store.orders.record(
    orderBatch([order({ number: 'N-2', status: 'Complete', customer: { id: 6, name: NAME } })]),
  );
  expect(await old('orders')).toEqual({ forgotten: [], next: null });
  await shelf().takeWork();
  expect(await old('orders', '', 1)).toEqual({ forgotten: ['N-1'], next: 'N-1' });
  expect(await old('orders', 'N-1', 1)).toEqual({ forgotten: ['N-2'], next: 'N-2' });
  expect(await old('orders')).toEqual({ forgotten: [], next: null });
  expect(await old('customers')).toEqual({ forgotten: ['5'], next: null });
  expect(await personal().forgottenCount('main')).toEqual({ orders: 2, erpOrders: 0, customers: 1 });
  expect(await store.customers.get('main', 5)).toBeNull();
});

test('a read does not restore erased data, until the order goes on or the customer orders again', async () => {
  await given();
  const { store } = shelf();
  await shelf().takeWork();
  await personal().forget('main', IDS, 'a test');
  const nameOf = async () => (await store.orders.get('main', 'N-1'))?.order.customer.name;
  const shown = order({ number: 'N-1', status: 'Complete', customer: { id: 5, name: NAME } });
  await store.orders.record(orderBatch([shown]));
  await store.erp.recordCustomers('main', [{ id: 'C-5', name: NAME, marketplaceId: 5, changedAt: at(2) }], 'poll');
  expect([await nameOf(), await store.erp.customer('main', 'C-5')]).toEqual([null, null]);
  expect(await shelf().takeWork()).toEqual([]);

  const window = { account: 'main', collection: 'customers', from: null, to: at(1), rows: 1, finding: null };
  await store.cursors.record({ ...window, cursor: at(1) });
  await store.orders.record(orderBatch([{ ...shown, status: 'Accepted', modified: at(5) }]));
  expect(await nameOf()).toBe(NAME);
  expect(await store.cursors.get('main', 'customers')).toBeNull();
  await store.erp.recordCustomers('main', [{ id: 'C-5', name: NAME, marketplaceId: 5, changedAt: at(2) }], 'poll');
  expect((await store.erp.customer('main', 'C-5'))?.name).toBe(NAME);
});
