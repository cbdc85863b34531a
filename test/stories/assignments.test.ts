import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage, type Stage } from '../support/stage.ts';

let stage: Stage;

const on = (buyers: string) => `
    customers: { to_marketplace: true, poll: 100ms }
    assignments: { from: attributes.offered_to, buyers: ${buyers}, poll: 100ms }`;

interface Assigned {
  readonly product_id: number;
  readonly is_exclusive: boolean;
  readonly assigned_buyers: { readonly buyer_id: number; readonly call_to_action?: string }[];
  readonly assigned_groups: { readonly customer_group_id: number }[];
}
const assigned = async () =>
  (
    await onMarketplace<{ results: Assigned[] }>(stage, 'GET', '/product-assignments/?company_id=4711&page_size=500')
  ).results.map(({ product_id: id, is_exclusive: exclusive, assigned_buyers: buyers, assigned_groups: groups }) => ({
    id,
    exclusive,
    buyers: buyers.map((each) => each.buyer_id),
    groups: groups.map((each) => each.customer_group_id),
  }));
const assign = (body: object) => onMarketplace(stage, 'PUT', '/product-assignments/?company_id=4711', body);
const addGroup = async (name: string) =>
  (await onMarketplace<{ id: number }>(stage, 'POST', '/companies/4711/customer-groups/', { name })).id;
const customers = async () =>
  (await onMarketplace<{ results: { id: number; name: string }[] }>(stage, 'GET', '/customers/?ordering=id')).results;
const alert = (key: string) => stage.store().facts.get('main', `alert:assignments:${key}`);
const listingOf = async (erpId: string) =>
  Number((await stage.store().mappings.byErpId('main', 'product', erpId))?.marketplaceId);

/** The limit of assignments that may be taken away in a pass. */
const most = (count: number) => {
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, text.replace(/archive: \{[^}]*\}/, `archive: { count: ${count}, percent: 10000 }`));
};

const open = async (buyers = 'customer') => {
  stage = await openStage({ account: on(buyers) });
  most(100);
  const { control } = stage.erp;
  const { id } = control.addCustomer({ name: 'Corner Shop' });
  control.addProducts([{ sku: 'SB-1' }]);
  const offer = (to: object) => control.setProduct('SB-1', { attributes: { offered_to: to } });
  const product = control.setProduct('SB-1', { attributes: {} }).id;
  return { control, customer: id, product, offer };
};

const EXCLUSIVE = { attributes: { offered_to: { exclusive: true, customers: [] } } };

test('a product is offered to the customers and groups that the ERP names, and follows their changes', async () => {
  const { customer, product, offer } = await open();
  const group = await addGroup('Chain Stores');
  offer({ exclusive: true, customers: [customer], groups: ['chain  stores'] });
  await stage.sync();
  const [shop] = await customers();
  const id = await listingOf(product);
  expect(await assigned()).toEqual([{ id, exclusive: true, buyers: [shop?.id], groups: [group] }]);
  expect((await stage.sync()).written).toBe(0);

  offer({ exclusive: true, customers: [], groups: ['Chain Stores'] });
  await stage.sync();
  expect(await assigned()).toEqual([{ id, exclusive: true, buyers: [], groups: [group] }]);

  await assign({ product_ids: [id], assigned_buyers: [{ buyer_id: 77 }], is_exclusive: false });
  await stage.sync();
  const [latest] = await stage.store().journal.of('main', 'assignments', product, 1);
  expect(latest?.why).toMatch(/^it was changed on the marketplace/);
  expect(await assigned()).toEqual([{ id, exclusive: true, buyers: [], groups: [group] }]);
  expect((await stage.sync()).written).toBe(0);
});

test('assignments that the ERP does not state, and their terms, stay as people set them', async () => {
  const { customer, product, offer } = await open();
  await stage.sync();
  const id = await listingOf(product);
  const [shop] = await customers();
  const terms = { call_to_action: 'Only for you', expiration_date: '2030-01-01T00:00:00Z' };
  const body = { product_ids: [id], assigned_buyers: [{ buyer_id: shop?.id, ...terms }], is_exclusive: true };
  await assign(body);
  await stage.sync();
  expect(await assigned()).toEqual([{ id, exclusive: true, buyers: [shop?.id], groups: [] }]);

  const group = await addGroup('Chain Stores');
  offer({ customers: [customer], groups: ['Chain Stores'] });
  await stage.sync();
  expect(await assigned()).toEqual([{ id, exclusive: true, buyers: [shop?.id], groups: [group] }]);
  const [row] = (await onMarketplace<{ results: Assigned[] }>(stage, 'GET', '/product-assignments/?company_id=4711'))
    .results;
  expect(row?.assigned_buyers).toMatchObject([terms]);
});

test('an unknown buyer raises an alert, and removes the product from nobody', async () => {
  const { customer, product, offer } = await open();
  await stage.sync();
  const id = await listingOf(product);
  await assign({ product_ids: [id], assigned_buyers: [{ buyer_id: 77 }] });
  offer({ customers: [customer, 'C-9'], groups: ['Nobody'] });
  await stage.sync();
  const [shop] = await customers();
  expect(await assigned()).toMatchObject([{ buyers: [shop?.id, 77], groups: [] }]);
  expect(await alert(product)).toContain('"code":"assignment-customers","params":{"sku":"SB-1","customers":["C-9"]}');
  expect(await alert(product)).toContain('"code":"assignment-groups"');
});

test("a buyer is the customer's partner where the deployment says so", async () => {
  const { customer, offer } = await open('partner');
  await stage.sync();
  const [shop] = await customers();
  const partners = (await onMarketplace<{ results: { id: number }[] }>(stage, 'GET', '/companies/')).results;
  const partner = partners.find(({ id }) => id !== 4711)?.id;
  await onMarketplace(stage, 'PATCH', `/customers/${shop?.id}/`, { partner_id: partner });
  offer({ customers: [customer] });
  await stage.sync();
  expect(await assigned()).toMatchObject([{ buyers: [partner] }]);
});

test('many assignments that remove something wait for an operator', async () => {
  stage = await openStage({ account: on('customer') });
  most(2);
  const skus = ['SB-1', 'SB-2', 'SB-3'];
  stage.erp.control.addProducts(skus.map((sku) => ({ sku })));
  await stage.sync();
  for (const sku of skus) stage.erp.control.setProduct(sku, EXCLUSIVE);
  await stage.sync();
  expect(await assigned()).toEqual([]);
  const [plan] = await stage.store().brakes.list('main');
  expect(plan?.plan).toMatchObject({ flow: 'assignments', kind: 'archive' });
  expect(plan?.items).toHaveLength(3);
});

test('an assignments list that shrank suddenly is rejected', async () => {
  stage = await openStage({ account: on('customer') });
  most(100);
  stage.erp.control.addProducts(['SB-1', 'SB-2', 'SB-3', 'SB-4'].map((sku) => ({ sku, ...EXCLUSIVE })));
  await stage.sync();
  const known = await assigned();
  expect(known).toHaveLength(4);
  for (const { id } of known) await assign({ product_ids: [id] });
  expect((await stage.sync()).written).toBe(0);
  expect(await stage.store().facts.get('main', 'alert:marketplace:assignments')).toContain(
    '"code":"assignments-short"',
  );
});
