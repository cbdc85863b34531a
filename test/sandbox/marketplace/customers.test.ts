import { expect, test } from 'vitest';
import { addCustomer, addProduct, type Started, start } from './api.ts';

const DOOR = { name: 'Green Door', owner_id: 4711 };

async function create(market: Started, fields: object = {}): Promise<number> {
  const made = await market.call('POST', '/customers/', { ...DOOR, ...fields });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return Number(made.body['id']);
}

async function names(market: Started, query: string): Promise<unknown[]> {
  const { body, text } = await market.call('GET', `/customers/?${query}`);
  expect(body.results, text).toEqual(expect.any(Array));
  return body.results.map((row): unknown => row['name']);
}

test('a customer that is created can be read, listed, changed, replaced and deleted', async () => {
  const market = await start();
  const id = await create(market, { email: 'a@door.example', tier: 1, status_id: 2, shipping_charge: '12.50' });
  const got = (await market.call('GET', `/customers/${id}/`)).body;
  expect(got).toMatchObject({
    id,
    ...DOOR,
    email: 'a@door.example',
    shipping_charge: '12.50',
    is_archived: false,
    is_delinquent: false,
    external_ids: {},
    delivery_address: null,
    status: { id: 2, state: 'Active' },
  });
  const patched = await market.call('PATCH', `/customers/${id}/`, { notes: 'ring twice' });
  expect([patched.status, patched.body]).toMatchObject([200, { notes: 'ring twice', email: 'a@door.example' }]);
  expect(Date.parse(String(patched.body['modified_date']))).toBeGreaterThanOrEqual(
    Date.parse(String(got['modified_date'])),
  );
  const replaced = await market.call('PUT', `/customers/${id}/`, { ...DOOR, name: 'Red Door' });
  expect([replaced.status, replaced.body['name'], replaced.body['email']]).toEqual([200, 'Red Door', undefined]);
  expect(await names(market, '')).toEqual(['Red Door']);
  expect((await market.call('DELETE', `/customers/${id}/`)).status).toBe(204);
  expect((await market.call('GET', `/customers/${id}/`)).status).toBe(404);
  expect(await names(market, '')).toEqual([]);
  expect(await create(market)).toBeGreaterThan(id);
});

test.each([
  [{ owner_id: 1 }, 'owner_id'],
  [{ tier: 99 }, 'tier'],
  [{ status_id: 99 }, 'status_id'],
  [{ managers: [1, 99] }, 'managers'],
  [{ partner_id: 99 }, 'partner_id'],
  [{ external_ids: { erp: 'x'.repeat(37) } }, 'external_ids'],
  [{ nmae: 'x' }, 'nmae'],
])('a customer with %j is refused with its field', async (fields, name) => {
  const market = await start();
  const { status, body } = await market.call('POST', '/customers/', { ...DOOR, ...fields });
  expect([status, Object.keys(body)]).toEqual([400, [name]]);
});

test('orders have customers that are not archived, with their delivery address and shipping charge', async () => {
  const market = await start();
  const id = await create(market, { shipping_charge: '15.00' });
  const address = { address: '1 Grove St', city: 'Oakland', zipcode: '94607' };
  expect((await market.call('PUT', `/customers/${id}/delivery-address/`, address)).body).toEqual(address);
  await market.call('PATCH', `/customers/${id}/delivery-address/`, { state: 'CA' });
  await market.call('PUT', `/customers/${id}/corporate-address/`, { ...address, unit_number: '7' });
  expect((await market.call('GET', `/customers/${id}/`)).body).toMatchObject({
    delivery_address: { ...address, state: 'CA' },
    corporate_address: { ...address, unit_number: '7' },
  });
  const line = { product: addProduct(market), quantity: '1', ordered_unit_price: { amount: 10, currency: 'USD' } };
  const order = { seller: 4711, customer: { id }, status: 'Submitted', line_items: [line] };
  const made = await market.call('POST', '/orders-received/', order);
  expect(made.body).toMatchObject({
    customer: { id, display_name: 'Green Door' },
    delivery_address: { city: 'Oakland', state: 'CA' },
    shipping_charge: { amount: 15 },
    // 27% of 10.00 and the shipping.
    tax_amount: { amount: 6.75 },
  });
  await market.call('PATCH', `/customers/${id}/`, { is_archived: true });
  const refused = await market.call('POST', '/orders-received/', order);
  expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['customer']]);
});

test('customer lists filter by name, text, time, number, status and external id, and are searched, ordered and paged', async () => {
  const market = await start();
  const first = await create(market, {
    name: 'Alder, Inc',
    email: 'a@x.example',
    discount_percent: '5.0',
    status_id: 1,
  });
  const second = await create(market, { name: 'Birch', discount_percent: '12.5', external_ids: { erp: 'C-2' } });
  const third = await create(market, { name: 'Cedar', status_id: 2, next_contact_date: '2026-03-01' });
  await market.call('PATCH', `/customers/${third}/`, { is_archived: true, external_ids: { erp: 'C-3', other: 'O' } });
  const since = (await market.call('GET', `/customers/${third}/`)).body['modified_date'];
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [`name=${encodeURIComponent('Alder, Inc')}`, ['Alder, Inc']],
    ['name__in=Birch,Cedar', ['Birch', 'Cedar']],
    ['name__startswith=Al', ['Alder, Inc']],
    ['email__startswith=A', ['Alder, Inc']],
    [`id=${first}&id=${second}`, ['Alder, Inc', 'Birch']],
    [`id__in=${third}`, ['Cedar']],
    ['is_archived=true', ['Cedar']],
    ['archived=false', ['Alder, Inc', 'Birch']],
    ['status=1,2', ['Alder, Inc', 'Cedar']],
    ['discount_percent__gte=5&discount_percent__lt=12.5', ['Alder, Inc']],
    ['next_contact_date__lte=2026-03-01', ['Cedar']],
    [`modified__gte=${encodeURIComponent(String(since))}`, ['Cedar']],
    [`modified__gt=${encodeURIComponent(String(since))}`, []],
    ['external_id_key=erp&external_id_values=C-2,C-9', ['Birch']],
    ['external_id_key=erp', ['Birch', 'Cedar']],
    ['external_id_key=erp&external_id_unmapped=true', ['Alder, Inc']],
    ['external_id_key=other&external_id_unmapped=false', ['Cedar']],
    ['search=ced', ['Cedar']],
    ['ordering=-name', ['Cedar', 'Birch', 'Alder, Inc']],
    ['ordering=-modified_date&page_size=1', ['Cedar']],
    ['ordering=name&page_size=2&page=2', ['Cedar']],
    ['owner=4711&owner__slug=juniper-ridge-botanicals&search=birch', ['Birch']],
    ['company_slug=somebody-else', []],
  ];
  for (const [query, expected] of cases) expect([query, await names(market, query)]).toEqual([query, expected]);
});

test('external ids that are not sent stay, null removes one', async () => {
  const market = await start();
  const id = await create(market, { external_ids: { erp: 'C-1', other: 'O-1' } });
  const { body } = await market.call('PATCH', `/customers/${id}/`, { external_ids: { erp: null, third: 'T' } });
  expect(body['external_ids']).toEqual({ other: 'O-1', third: 'T' });
});

test('a payment belongs to an existing order, and is listed with its customer', async () => {
  const market = await start();
  const customer = addCustomer(market);
  const { number } = market.placeOrder({ customer, items: [{ product: addProduct(market), quantity: 1 }] });
  const payment = { order: number, total: '12.00', payment_type: 'ach', payment_date: '2026-02-03T10:00:00Z' };
  const made = await market.call('POST', '/order-payments/', payment);
  expect([made.status, made.body]).toMatchObject([
    201,
    { ...payment, currency: 'USD', customer: { id: customer, name: 'Green Door' } },
  ]);
  const today = String(made.body['created_date']).slice(0, 10);
  const count = async (query: string) => (await market.call('GET', `/order-payments/?${query}`)).body['count'];
  expect(await count(`created_date_from=${today}&created_date_to=${today}&search=${number}`)).toBe(1);
  expect(await count('created_date_to=2020-01-01')).toBe(0);
  expect((await market.call('GET', `/order-payments/${made.body['id']}/`)).body).toEqual(made.body);
  const unknown = '00000000-0000-4000-8000-000000000000';
  const refused = await market.call('POST', '/order-payments/', { ...payment, order: unknown });
  expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['order']]);
});

test("people can edit records in the marketplace's pages too", async () => {
  const market = await start();
  const { id } = market.addRecord('customers', { ...DOOR, dba: 'The Door', corporate_address: { city: 'Reno' } });
  expect(market.changeRecord('customers', Number(id), { notes: 'x' })).toMatchObject({ dba: 'The Door', notes: 'x' });
  expect(market.records('customers')).toMatchObject([{ id, corporate_address: { city: 'Reno' } }]);
  const control = (method: string, path: string, body?: object) =>
    fetch(`${market.controlUrl}/records/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  expect((await control('POST', 'customer-tiers', { name: 'Gold' })).status).toBe(200);
  expect(await (await control('GET', 'customer-tiers')).json()).toMatchObject([{ id: 1 }, { id: 2 }, { name: 'Gold' }]);
  expect((await control('DELETE', `customers/${String(id)}`)).status).toBe(200);
  expect(market.records('customers')).toEqual([]);
  expect((await control('GET', 'nothing')).status).toBe(404);
  const number = '00000000-0000-4000-8000-000000000000';
  expect(() => market.addRecord('order-payments', { order: number, total: '1' })).toThrow('no such order');
});
