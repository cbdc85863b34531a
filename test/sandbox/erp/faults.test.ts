import { expect, it } from 'vitest';
import { DRAFT, start, TOKEN, withTwoProducts } from './started.ts';

it.each(['lose-answer', 'truncate'] as const)('the fault %s has the write applied all the same', async (kind) => {
  const { call, control } = await withTwoProducts();
  control.inject({ kind, method: 'POST', path: '/v1/orders' });
  await expect(call('POST', '/v1/orders', DRAFT)).rejects.toThrow();
  expect(control.findOrders('R-1')).toHaveLength(1);
  expect(control.requests().at(-1)?.faults).toEqual([kind]);
});

it('the fault reset does not apply the write', async () => {
  const { call, control } = await withTwoProducts();
  control.inject({ kind: 'reset' });
  await expect(call('POST', '/v1/orders', DRAFT)).rejects.toThrow();
  expect(control.findOrders('R-1')).toEqual([]);
});

it('the fault status refuses, with Retry-After, or applies and reports a failure', async () => {
  const { erp, call, control } = await withTwoProducts();
  control.inject({ kind: 'status', status: 429, retryAfter: '3' });
  const response = await fetch(`${erp.url}/v1/ping`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  control.inject({ kind: 'status', status: 502, applied: true });
  expect((await call('POST', '/v1/orders', DRAFT)).status).toBe(502);
  expect(control.findOrders('R-1')).toHaveLength(1);
});

it('faults strike the named calls, after a number of calls, and a number of times', async () => {
  const { call, control } = await start();
  control.inject({ kind: 'status', status: 500, path: '/v1/products', after: 1, times: 2 });
  const statuses: number[] = [];
  for (const path of ['/v1/products', '/v1/ping', '/v1/products', '/v1/products', '/v1/products']) {
    statuses.push((await call('GET', path)).status);
  }
  expect(statuses).toEqual([200, 200, 500, 500, 200]);
});

it('the sandbox ERP can send garbage, incomplete, empty, shrunken, invalid and stale answers', async () => {
  const { erp, call, control } = await start();
  control.seed(10);
  const list = async () => (await call('GET', '/v1/stock')).body;
  control.inject({ kind: 'incomplete' });
  const incomplete = await list();
  expect(incomplete).toMatchObject({ complete: false, next: null });
  expect(incomplete.items).toHaveLength(5);
  control.inject({ kind: 'empty' });
  expect(await list()).toMatchObject({ items: [], next: null, complete: true });
  control.inject({ kind: 'shrink', keep: 0.5 });
  expect((await list()).items).toHaveLength(5);
  control.inject({ kind: 'invalid-row', key: 'SB-0002', set: { on_hand: 'many' } });
  expect((await list()).items.map((row) => row.on_hand === 'many').indexOf(true)).toBe(1);
  control.inject({ kind: 'stale', byMs: 60_000 });
  expect(await list()).toMatchObject({
    as_of: '2029-12-31T23:59:00.000Z',
    items: Array.from({ length: 10 }, () => ({ as_of: '2029-12-31T23:59:00.000Z' })),
  });
  control.inject({ kind: 'garbage' });
  const response = await fetch(`${erp.url}/v1/stock`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await response.text()).toContain('<html>');
  expect((await list()).items).toHaveLength(10);
});

it('a delay does not block closing the sandbox ERP', async () => {
  const { call, close, control } = await start();
  control.inject({ kind: 'slow-answer', delayMs: 60_000 });
  const answer = call('GET', '/v1/ping').catch(() => 'closed');
  while (control.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
  await close();
  await answer;
});

it('the control API of the sandbox ERP does what the handle does, and reports errors', async () => {
  const { call, control } = await start();
  expect((await call('POST', '/_control/seed', { count: 2 })).status).toBe(200);
  await call('POST', '/_control/set-product', { sku: 'SB-0001', active: false });
  await call('POST', '/_control/set-stock', { sku: 'SB-0001', on_hand: '3' });
  const { body: order } = await call('POST', '/_control/create-order', {
    lines: [{ sku: 'SB-0001', quantity: '1', unit_price: '2.00' }],
  });
  expect((await call('POST', '/_control/ship-order', { id: order.id })).body.status).toBe('shipped');
  expect((await call('POST', '/_control/ship-order', { id: order.id })).status).toBe(409);
  expect((await call('POST', '/_control/set-stock', { sku: 'nobody', on_hand: '3' })).status).toBe(422);
  expect((await call('POST', '/_control/set-stock', { sku: 'SB-0001' })).status).toBe(400);
  expect((await call('POST', '/_control/state')).body).toEqual(control.state());
  expect(control.state()).toMatchObject({
    products: [{ sku: 'SB-0001', active: false }, { sku: 'SB-0002' }],
    stock: [{ sku: 'SB-0001', on_hand: '2' }, {}],
  });
  await call('POST', '/_control/remove-product', { sku: 'SB-0002' });
  expect((await call('GET', '/v1/products')).body.items).toHaveLength(1);
});
