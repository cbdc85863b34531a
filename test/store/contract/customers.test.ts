import { expect, test } from 'vitest';
import type { ErpCustomer } from '../../../src/erp/connector.ts';
import type { ObservedCustomer, RecordCustomers } from '../../../src/store/marketplace.ts';
import { at, order, orderBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const customers = () => shelf().store.customers;
const erp = () => shelf().store.erp;

const shop = (id: number, changes: Partial<ObservedCustomer['customer']> = {}): ObservedCustomer => ({
  customer: {
    id,
    name: `Shop ${id}`,
    modified: at(id),
    archived: false,
    externalId: null,
    licenseNumber: null,
    email: null,
    ...changes,
  },
  content: JSON.stringify(changes),
});
const erpShop = (id: string, changes: Partial<ErpCustomer> = {}): ErpCustomer => {
  return { id, name: `Shop ${id}`, marketplaceId: null, changedAt: at(1), ...changes };
};
const record = (rows: readonly ObservedCustomer[], changes: Partial<RecordCustomers> = {}) =>
  customers().record({ account: 'main', rows, invalidRows: [], window: null, lane: 'poll', ...changes });
const recordErp = (...items: readonly ErpCustomer[]) => erp().recordCustomers('main', items, 'poll');

test('marketplace customers are stored, counted and found in order, and marked when they change', async () => {
  await record([shop(5), shop(12)]);
  expect(await shelf().takeWork()).toEqual(['customer-in 12', 'customer-in 5']);
  await record([shop(5), shop(12, { email: 'ann@shop.test' })]);
  expect(await shelf().takeWork()).toEqual(['customer-in 12']);
  expect(await customers().get('main', 12)).toMatchObject({ name: 'Shop 12', emailKey: 'ann@shop.test' });
  expect(await customers().ids('main', '5', 10)).toEqual(['12']);
  expect(await customers().count('main')).toBe(2);
  expect(await customers().nthNewestModified('main', 2)).toBe(at(5));
});

test('a customer answer that a later one overtook changes nothing, and an invalid row marks its customer', async () => {
  await record([shop(5, { modified: at(9), name: 'New' })]);
  await record([shop(5, { modified: at(8), name: 'Old' })]);
  expect((await customers().get('main', 5))?.name).toBe('New');
  await shelf().takeWork();
  await record([], { invalidRows: [{ what: '5', path: 'name', message: 'expected text' }] });
  expect(await shelf().takeWork()).toEqual(['customer-in 5']);
  expect((await shelf().store.observe.customerIn('main', 5, [])).invalidRow).toMatchObject({ path: 'name' });
});

test('ERP customers are stored as they came, and marked when they change', async () => {
  await recordErp(erpShop('C-1'), erpShop('C-2', { email: 'ann@shop.test' }));
  expect(await shelf().takeWork()).toEqual(['customer-out C-1', 'customer-out C-2']);
  await recordErp(erpShop('C-1', { changedAt: at(2) }), erpShop('C-2', { name: 'Other', changedAt: at(2) }));
  await recordErp(erpShop('C-2', { name: 'Old', changedAt: at(0) }));
  expect(await shelf().takeWork()).toEqual(['customer-out C-2']);
  expect(await erp().customer('main', 'C-2')).toEqual(erpShop('C-2', { name: 'Other', changedAt: at(2) }));
  expect(await erp().customerIds('main', 'C-1', 10)).toEqual(['C-2']);
});

test.each([
  ['the licence number, however it is spelled', { licenseNumber: 'ab 1' }, { licenseNumber: 'AB1' }],
  ['the e-mail address', { email: 'Ann@Shop.test' }, { email: 'ann@shop.test ' }],
  ["the marketplace's id", {}, { marketplaceId: 5 }],
  ["the ERP's id", { externalId: 'C-1' }, {}],
])(
  'unlinked customers of both sides that match are observed together, and a new one marks the other: %s',
  async (_, there, here) => {
    await record([shop(5, there), shop(6)]);
    await shelf().takeWork();
    await recordErp(erpShop('C-1', here));
    expect(await shelf().takeWork()).toEqual(['customer-in 5', 'customer-out C-1']);
    const { observe } = shelf().store;
    expect((await observe.customerIn('main', 5, [])).like.inErp).toMatchObject([{ id: 'C-1', linkedTo: null }]);
    expect((await observe.customerOut('main', 'C-1', [])).like.onMarketplace).toMatchObject([
      { id: 5, linkedTo: null },
    ]);
  },
);

test('linked customers are no matches of other customers, and name their link', async () => {
  const { mappings, observe } = shelf().store;
  await record([shop(5, { email: 'ann@shop.test' })]);
  await recordErp(erpShop('C-1', { email: 'ann@shop.test' }));
  await mappings.link({ account: 'main', kind: 'customer', marketplaceId: '5', erpId: 'C-1', how: 'operator' });
  expect(await mappings.linkedTo('main', 'customer', 'C-1')).toBe('5');
  await shelf().takeWork();
  await recordErp(erpShop('C-2', { email: 'ann@shop.test' }));
  expect(await shelf().takeWork()).toEqual(['customer-out C-2']);
  const { onMarketplace } = (await observe.customerOut('main', 'C-2', [])).like;
  expect(onMarketplace).toMatchObject([{ id: 5, linkedTo: 'C-1' }]);
  expect((await observe.customerOut('main', 'C-1', [])).customer).toMatchObject({ id: 5 });
});

test("after a link is removed, both customers and the customer's order are marked", async () => {
  const { links, mappings } = shelf().store;
  await record([shop(5)]);
  await recordErp(erpShop('C-1'));
  await shelf().store.orders.record(orderBatch([order({ customer: { id: 5, name: null } })]));
  await mappings.link({ account: 'main', kind: 'customer', marketplaceId: '5', erpId: 'C-1', how: 'operator' });
  await shelf().takeWork();
  const mapping = await mappings.byErpId('main', 'customer', 'C-1');
  if (mapping !== null) await links.unlink(mapping, 'Ann');
  expect(await mappings.byErpId('main', 'customer', 'C-1')).toBeNull();
  expect(await shelf().takeWork()).toEqual(['customer-in 5', 'customer-out C-1', 'order-in o-1']);
});

test('a link that replaces two others marks all four customers', async () => {
  const { links } = shelf().store;
  await record([shop(5), shop(6)]);
  await recordErp(erpShop('C-1'), erpShop('C-2'));
  const ids = (marketplaceId: string, erpId: string) =>
    ({ account: 'main', kind: 'customer', marketplaceId, erpId, how: 'operator' }) as const;
  await links.link(ids('5', 'C-1'), false, 'Ann');
  await links.link(ids('6', 'C-2'), false, 'Ann');
  await shelf().takeWork();
  await links.link(ids('5', 'C-2'), true, 'Ann');
  expect(await shelf().takeWork()).toEqual(['customer-in 5', 'customer-in 6', 'customer-out C-1', 'customer-out C-2']);
});
