import { expect, test } from 'vitest';
import { addCustomer, addProduct, type Started, start } from './api.ts';

const COMPANY = 'company_id=4711';
const BUYER_UUID = 'b0e70000-0000-4000-8000-000000000001';
const SELLER_UUID = '5e11e700-0000-4000-8000-000000000001';

async function ok(market: Started, method: string, path: string, body?: unknown) {
  const answer = await market.call(method, path, body);
  expect([method, path, answer.status < 300 ? '' : answer.text]).toEqual([method, path, '']);
  return answer.body;
}

async function refusedFields(market: Started, method: string, path: string, body: unknown): Promise<unknown> {
  const { status, body: said } = await market.call(method, path, body);
  return [status, ...Object.keys(said)];
}

test('customer groups hold existing customers, and are listed for their company in both variants', async () => {
  const market = await start();
  const customer = addCustomer(market);
  const made = await ok(market, 'POST', '/companies/4711/customer-groups/', {
    name: 'Regulars',
    customers: [customer],
  });
  expect(made).toMatchObject({ name: 'Regulars', customers: [customer], status: 'active', description: null });
  for (const path of ['/companies/4711/customer-groups/?', `/customer-groups/?${COMPANY}&`]) {
    expect((await ok(market, 'GET', `${path}status=active&search=reg`)).results).toEqual([made]);
    expect((await ok(market, 'GET', `${path}status=archived`)).results).toEqual([]);
  }
  expect(await ok(market, 'GET', `/customer-groups/${made.id}/?${COMPANY}`)).toEqual(made);
  expect((await market.call('GET', `/customer-groups/${made.id}/?company_id=1`)).status).toBe(403);
  const group = `/companies/4711/customer-groups/${made.id}/`;
  expect(await refusedFields(market, 'PATCH', group, { customers: [99] })).toEqual([400, 'customers']);
});

test('a payment contract is between existing companies', async () => {
  const market = await start();
  const body = { buyer_id: BUYER_UUID, seller_id: SELLER_UUID };
  const made = await ok(market, 'POST', '/payment_contracts/', body);
  expect(made).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: 'active',
    default_payment_program: 'do_not_process',
    buyer: { id: BUYER_UUID, dba: 'Green Door Collective' },
    seller: { id: SELLER_UUID, marketplace_slug: 'juniper-ridge-botanicals' },
  });
  const path = `/payment_contracts/${String(made.id)}/`;
  expect(await ok(market, 'PATCH', path, { default_payment_program: 'direct' })).toMatchObject({
    default_payment_program: 'direct',
    status: 'active',
  });
  expect(await ok(market, 'PUT', path, body)).toMatchObject({ default_payment_program: 'do_not_process' });
  const unknown = { ...body, buyer_id: '00000000-0000-4000-8000-000000000000' };
  expect(await refusedFields(market, 'POST', '/payment_contracts/', unknown)).toEqual([400, 'buyer_id']);
});

test('managed companies are found by id and by slug, with their licenses and cashback', async () => {
  const market = await start();
  market.addRecord('company-licenses', { company: SELLER_UUID, number: 'C11', state: { id: '5', name: 'Oregon' } });
  market.addRecord('company-licenses', { company: BUYER_UUID, number: 'C12' });
  market.changeRecord('managed-companies', SELLER_UUID, { cashback_invoice_count: 3, cashback_potential_earnings: 12 });
  const company = await ok(market, 'GET', '/managed-companies/by-slug/juniper-ridge-botanicals/');
  expect(company).toEqual(await ok(market, 'GET', `/managed-companies/${SELLER_UUID}/`));
  expect(company).toMatchObject({ id: SELLER_UUID, has_linked_bank_account: false });
  expect(await ok(market, 'GET', '/managed-companies/by-slug/juniper-ridge-botanicals/cashback-statistics/')).toEqual({
    buyer_cashback_invoice_count: 3,
    buyer_cashback_potential_earnings: 12,
  });
  expect((await ok(market, 'GET', `/managed-companies/${SELLER_UUID}/licenses/`)).results).toMatchObject([
    { number: 'C11', verification_status: 'active', type: 'medical' },
  ]);
  expect((await market.call('GET', '/managed-companies/nobody/licenses/')).status).toBe(404);
});

test('a discussion has its latest message, and is found by its text', async () => {
  const market = await start();
  const parties = {
    sender_company: { id: 4711, name: 'Juniper' },
    recipient_company: { id: 5001, name: 'Green Door' },
  };
  const body = { topic: 'Delivery', ...parties, creator: 7, first_message: { message: 'Monday or Tuesday?' } };
  const made = await ok(market, 'POST', '/discussions/', body);
  expect(made).toMatchObject({
    topic: 'Delivery',
    status: 'in_progress',
    latest_message: { message: 'Monday or Tuesday?', read_by_recipient: null, author: { user: 7 } },
  });
  market.changeRecord('discussions', made.id, { status: 'completed' });
  const list = await ok(market, 'GET', '/discussions/?search=tuesday&status=completed&from_date=2020-01-01');
  expect([Object.keys(list), list['current_page'], list.count]).toEqual([['count', 'current_page', 'results'], 1, 1]);
  expect((await ok(market, 'GET', '/discussions/?search=friday')).count).toBe(0);
  expect((await ok(market, 'GET', '/discussions/?to_date=2020-01-01')).count).toBe(0);
  const patched = await ok(market, 'PATCH', `/discussions/${made.id}/`, { first_message: { message: 'Friday' } });
  expect(patched).toMatchObject({ topic: 'Delivery', status: 'completed', latest_message: { message: 'Friday' } });
  const stranger = { ...body, recipient_company: { id: 99, name: 'Nobody' } };
  expect(await refusedFields(market, 'POST', '/discussions/', stranger)).toEqual([400, 'recipient_company']);
});

test('a user is notified by default until a preference is set', async () => {
  const market = await start();
  const path = '/users/17/notification-preferences/';
  const told = async () => {
    const { text } = await market.call('GET', path);
    const rows = JSON.parse(text) as { topic: string; medium: string; enabled_timestamp: string | null }[];
    return rows.filter((row) => row.enabled_timestamp !== null).map(({ topic, medium }) => `${topic} ${medium}`);
  };
  expect(await told()).toEqual(['order-submitted email', 'order-submitted sms', 'order-canceled email']);
  const say = (topic: string, medium: string, enabled: boolean) => ({ topic, medium, enabled_timestamp: enabled });
  await ok(market, 'PATCH', path, [say('order-submitted', 'sms', false), say('low-stock', 'email', true)]);
  expect(await told()).toEqual(['order-submitted email', 'order-canceled email', 'low-stock email']);
  expect(await refusedFields(market, 'PATCH', path, [say('weather', 'email', true)])).toEqual([400, 'topic']);
  expect(await refusedFields(market, 'PATCH', path, [say('low-stock', 'sms', true)])).toEqual([400, 'medium']);
});

test('brands are recommended to their buyers, and listed with their sponsors', async () => {
  const market = await start();
  const customer = addCustomer(market);
  const recommended = async () =>
    (await ok(market, 'GET', `/brands/recommended/recently-purchased/?company_id=${customer}`)).count;
  expect(await recommended()).toBe(0);
  market.placeOrder({ customer, items: [{ product: addProduct(market), quantity: 1 }] });
  expect(await recommended()).toBe(1);
  market.addRecord('sponsorships', { brand: 301, placement: 'deals-page-1', rank: 1 });
  market.addRecord('sponsorships', { brand: 301, placement: 'shop-brands-skyscraper-2', rank: 2 });
  expect(await ok(market, 'GET', '/brands/301/')).toMatchObject({ sponsorship: { placement: 'deals-page-1' } });
  const content = await ok(
    market,
    'GET',
    `/sponsorship-content/?${COMPANY}&placement=deals-page-1&placement=deals-page-2`,
  );
  const sponsorship = { brand: 301, placement: 'deals-page-1', rank: 1 };
  const listing = [{ sponsorship, resource: { resource_id: 301, sponsored: true } }];
  expect(content['content']).toMatchObject({
    sponsorships: { banners: [{ sponsorship }], listing, skyscrapers: [] },
  });
  const page = await ok(market, 'GET', `/shop-brands/?${COMPANY}&search=juniper`);
  expect(page).toMatchObject({
    count: 1,
    content: { collection: [{ resource_id: 301, sponsored: true }], sponsorships: { skyscrapers: [{ rank: 2 }] } },
  });
  expect((await market.call('GET', `/shop-brands/?${COMPANY}&page=2`)).status).toBe(404);
});

test('line items are listed over all orders and changed; events list the results of orders', async () => {
  const market = await start();
  const [customer, product] = [addCustomer(market), addProduct(market)];
  const first = market.placeOrder({ customer, items: [{ product, quantity: 2 }] });
  const second = market.placeOrder({ customer, items: [{ product, quantity: 5 }] });
  const list = await ok(market, 'GET', '/line-items/?ordering=-quantity&page_size=1');
  expect([list.count, list.results]).toMatchObject([2, [{ order: second.number, quantity: '5.0000', product }]]);
  expect((await ok(market, 'GET', `/line-items/?search=${first.number}`)).count).toBe(1);
  const line = first.lines[0]?.id ?? 0;
  expect(await ok(market, 'PATCH', `/line-items/${line}/`, { quantity: '3' })).toMatchObject({ quantity: '3.0000' });
  expect(market.product(product).reserved).toBe('8');
  expect((await market.call('GET', '/line-items/99/')).status).toBe(404);
  expect(await refusedFields(market, 'GET', '/line-items/?ordering=colour', undefined)).toEqual([400, 'ordering']);
  await ok(market, 'POST', `/orders-received/${first.number}/transition/accept/`);
  const events = await ok(market, 'GET', `/order-event-logs/?search=${first.number}`);
  expect(events.results.map(({ status }) => status)).toEqual(['Submitted', 'Accepted']);
});

test('an approval is for an existing order', async () => {
  const market = await start();
  const { id } = market.placeOrder({
    customer: addCustomer(market),
    items: [{ product: addProduct(market), quantity: 1 }],
  });
  const body = { order_id: id, purchase_order_number: BUYER_UUID, status: 'approved', message: 'Go' };
  expect(await ok(market, 'POST', '/poms/orders/approval/', body)).toEqual(body);
  expect(await refusedFields(market, 'POST', '/poms/orders/approval/', { ...body, order_id: 99 })).toEqual([
    400,
    'order_id',
  ]);
});

test('images are uploaded as files, several at once, and are cloned with their file', async () => {
  const market = await start();
  const [one, two] = [addProduct(market, 1, { sku: 'A' }), addProduct(market, 1, { sku: 'B' })];
  const send = async (path: string, fields: Record<string, string | File | readonly (string | File)[]>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each);
    const headers = { authorization: `App ${market.key}` };
    const answer = await fetch(`${market.url}/api/v2/product-images/${path}`, { method: 'POST', headers, body: form });
    return [answer.status, await answer.text()] as const;
  };
  const png = (content: string, type = 'image/png') => new File([content], `${content}.png`, { type });
  const place = { product: String(one), position: '1' };
  const [status, text] = await send('', { image: png('front'), ...place, crop_x: '5', crop_y: '' });
  expect([status, JSON.parse(text)]).toMatchObject([201, { product: one, position: 1, crop_x: 5, crop_y: null }]);
  const positions = ['2', '3'];
  expect((await send('bulk/', { product_id: String(one), images: [png('a'), png('b')], positions }))[0]).toBe(201);
  const cloned = await ok(market, 'POST', '/product-images/1/clone/', { product: two, position: 9 });
  const files = market.records('product-images').map((image) => image['file'] as { name: string; sha256: string });
  expect(files.map(({ name }) => name)).toEqual(['front.png', 'a.png', 'b.png', 'front.png']);
  expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(3);
  const list = await ok(market, 'GET', `/product-images/?product__id=${two}&product__id=99`);
  expect(list.results).toMatchObject([{ id: cloned.id, product: two, position: 9 }]);
  expect(list.results[0]).not.toHaveProperty('crop_x');
  expect((await send('', { image: png('x', 'text/plain'), ...place }))[1]).toContain('"image"');
  expect((await send('', { image: 'no file', ...place }))[1]).toContain('"image"');
  expect((await send('', { image: png('x'), ...place, product: '99' }))[1]).toContain('"product"');
  expect((await market.call('POST', '/product-images/', place)).status).toBe(415);
  const broken = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await market.call('POST', '/product-images/', 'nothing', broken)).status).toBe(400);
});
