import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { addCustomer, addProduct, type Started, start } from './api.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function control(market: Started) {
  return async (call: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const [method = '', path = ''] = call.split(' ');
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${market.controlUrl}${path}`, { method, ...init });
    return { status: answer.status, body: await answer.json() };
  };
}

test('buyers and staff act over HTTP, without key, limit or log', async () => {
  const market = await start({
    settings: { rate: { perSecond: 1, perMinute: 1, countRejected: false, headline: 'minute' } },
  });
  const ask = control(market);
  const customer = ((await ask('POST /customers', { name: 'Shop', state: 'CA' })).body as { id: number }).id;
  const made = await ask('POST /products', { sku: 'A', name: 'A', quantity: 10 });
  expect(made).toMatchObject({ status: 200, body: { sku: 'A', quantity: '10', reserved: '0', available: '10' } });
  const product = (made.body as { id: number }).id;
  const placed = await ask('POST /orders', { customer, items: [{ product, quantity: '2.5' }] });
  expect(placed.body).toMatchObject({ status: 'Submitted', lines: [{ quantity: '2.5', counted: 'reserved' }] });
  const { number, lines } = placed.body as { number: string; lines: { id: number }[] };
  expect((await ask(`POST /orders/${number}/lines`, { product, quantity: 1 })).body).toMatchObject({ lines: [{}, {}] });
  await ask(`PATCH /lines/${lines[0]?.id}`, { quantity: 2 });
  expect((await ask('GET /products')).body).toMatchObject([{ quantity: '10', reserved: '3', available: '7' }]);
  await ask(`DELETE /lines/${lines[0]?.id}`);
  await ask(`PATCH /orders/${number}`, { discount_amount: '1.50' });
  expect((await ask(`POST /orders/${number}/transition/accept`)).body).toMatchObject({
    status: 'Accepted',
    discount: '1.5',
  });
  expect((await ask(`POST /orders/${number}/transition/ship`)).status).toBe(400);
  expect((await ask(`PUT /orders/${number}/status`, { status: 'Combined' })).body).toMatchObject({
    status: 'Combined',
  });
  expect((await ask(`POST /orders/${number}/cancel`)).status).toBe(400);
  await ask(`PATCH /products/${product}`, { quantity: 3 });
  await ask(`DELETE /products/${product}`);
  expect((await ask(`GET /products/${product}`)).body).toMatchObject({ archived: true, quantity: '3' });
  await ask(`DELETE /customers/${customer}`);
  expect((await ask('GET /customers')).body).toMatchObject([{ archived: true }]);
  expect((await ask('GET /orders')).body).toHaveLength(1);
  expect(market.requestLog.total()).toBe(0);
});

test('a buyer cannot order more than is available, unless forced', async () => {
  const market = await start();
  const product = addProduct(market, 5);
  const order = { customer: addCustomer(market), items: [{ product, quantity: 6 }] };
  const ask = control(market);
  const refused = await ask('POST /orders', order);
  expect(refused).toEqual({ status: 409, body: { detail: 'SKU-1: 6 ordered, 5 available.' } });
  expect((await ask('POST /orders', { ...order, oversell: true })).status).toBe(200);
  expect(market.product(product).available).toBe('-1');
});

test('faults, settings, webhooks, quota and the log can be controlled over HTTP', async () => {
  const market = await start();
  const ask = control(market);
  expect(
    (await ask('POST /faults', { kind: 'status-before', status: 500, chance: 0.999999999, times: 1 })).body,
  ).toEqual({ id: 1 });
  expect((await market.call('GET', '/products/')).status).toBe(500);
  expect((await ask('GET /faults')).body).toMatchObject([{ id: 1, struck: 1 }]);
  await ask('DELETE /faults/1');
  expect((await ask('GET /faults')).body).toEqual([]);
  expect((await ask('POST /faults', { kind: 'nonsense' })).status).toBe(400);
  expect((await ask('PATCH /settings', { ties: 'shuffled' })).body).toMatchObject({ ties: 'shuffled', sellerId: 4711 });
  expect((await ask('PATCH /settings', { tiez: 'x' })).status).toBe(400);
  await ask('PUT /webhooks', [{ url: 'http://127.0.0.1:9/', types: [], secret: null }]);
  expect((await ask('GET /webhooks')).body).toMatchObject({
    targets: [{ url: 'http://127.0.0.1:9/' }],
    deliveries: [],
  });
  expect((await ask('POST /quota', { owner: 'brand', calls: 1 })).status).toBe(200);
  expect((await ask('GET /requests')).body).toMatchObject({
    total: 1,
    counts: { 'products.list': 1 },
    statuses: { 500: 1 },
  });
  expect((await ask('GET /requests/calls')).body).toMatchObject([{ operation: 'products.list' }]);
  await ask('DELETE /requests');
  expect((await ask('GET /requests')).body).toMatchObject({ total: 0 });
  expect((await ask('POST /orders', '{')).status).toBe(400);
  expect((await ask('GET /nowhere')).status).toBe(404);
});

test('many products and orders can be created at once', async () => {
  const market = await start();
  const ask = control(market);
  const products = Array.from({ length: 300 }, (_, index) => ({
    sku: `S-${index}`,
    name: `Product ${index}`,
    quantity: 5,
  }));
  expect((await ask('POST /products/bulk', products)).body).toHaveLength(300);
  const customer = addCustomer(market);
  const orders = Array.from({ length: 300 }, (_, index) => ({
    customer,
    items: [{ product: index + 1, quantity: 2 }],
  }));
  expect((await ask('POST /orders/bulk', orders)).body).toHaveLength(300);
  expect((await market.call('GET', '/orders-received/?page_size=1')).body.count).toBe(300);
  expect(market.products().every((product) => product.reserved === '2')).toBe(true);
});

test('the data of the sandbox marketplace is kept in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  const file = join(folder, 'marketplace.db');
  const first = await start({ file });
  const items = [{ product: addProduct(first), quantity: 1 }];
  const customer = addCustomer(first);
  const { number } = first.placeOrder({ customer, items });
  await first.close();
  const second = await start({ file });
  expect(second.order(number)).toMatchObject({ number, status: 'Submitted' });
  expect(second.placeOrder({ customer, items }).number).not.toBe(number);
});
