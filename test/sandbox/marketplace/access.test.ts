import { expect, test } from 'vitest';
import type { Credential } from '../../../src/sandbox/marketplace/auth.ts';
import { addCustomer, addProduct, type Started, start } from './api.ts';

const as = (authorization: string) => ({ authorization });

test('App keys and Bearer tokens are accepted; anything else is a 401 that says how to authenticate', async () => {
  const permissions = { Orders: 'read' } as const;
  const market = await start({
    keys: [
      { scheme: 'App', secret: 'k1', owner: 'brand', permissions },
      { scheme: 'Bearer', secret: 'h.p.s', owner: 'brand', permissions },
    ],
  });
  const status = async (header: string) =>
    (await market.call('GET', '/orders-received/', undefined, as(header))).status;
  expect(await status('App k1')).toBe(200);
  expect(await status('Bearer h.p.s')).toBe(200);
  for (const wrong of ['App h.p.s', 'Bearer k1', 'App k2', 'k1', '', 'App', 'Token k1', 'App k1 k1']) {
    expect([wrong, await status(wrong)]).toEqual([wrong, 401]);
  }
  const refused = await market.call('GET', '/orders-received/', undefined, as('App k2'));
  expect(refused.headers.get('www-authenticate')).toBe('App');
});

/** Permission granted -> the calls it opens (spec 1, Permissions). */
const GRANTS: readonly (readonly [Credential['permissions'], readonly string[]])[] = [
  [{}, []],
  [{ Orders: 'read' }, ['GET /orders-received/', 'GET /orders-received/{n}/']],
  [
    { Orders: 'write' },
    [
      'GET /orders-received/',
      'GET /orders-received/{n}/',
      'POST /orders-received/',
      'PATCH /orders-received/{n}/',
      'POST /orders-received/{n}/transition/accept/',
      'DELETE /line-items/1/',
    ],
  ],
  [{ Products: 'read' }, ['GET /products/']],
  [{ Products: 'write' }, ['GET /products/', 'POST /products/', 'PATCH /products/1/', 'DELETE /products/1/']],
  [{ Customers: 'write' }, []],
];
const ALL = [...new Set(GRANTS.flatMap(([, calls]) => calls))];

test.each(GRANTS)('a key with %j may call only what that grants', async (permissions, granted) => {
  const market = await start({ keys: [{ scheme: 'App', secret: 'k', owner: 'brand', permissions }] });
  const items = [{ product: addProduct(market), quantity: 1 }];
  const { number } = market.placeOrder({ customer: addCustomer(market), items });
  for (const call of ALL) {
    const [method = '', path = ''] = call.split(' ');
    const body = method === 'PATCH' || (method === 'POST' && !path.includes('transition')) ? {} : undefined;
    const { status } = await market.call(method, path.replace('{n}', number), body, as('App k'));
    expect([call, status === 403]).toEqual([call, !granted.includes(call)]);
  }
});

test('the sandbox can answer a missing permission with an empty list', async () => {
  const market = await start({
    keys: [{ scheme: 'App', secret: 'k', owner: 'brand', permissions: {} }],
    settings: { forbiddenStatus: 404 },
  });
  expect((await market.call('GET', '/products/')).status).toBe(404);
});

test('the API version is the current one by default, a known one by header, and another is refused', async () => {
  const market = await start({ settings: { versions: ['2022-10-31', '2021-01-01'] } });
  const call = (headers: Record<string, string>) => market.call('GET', '/products/', undefined, headers);
  expect((await call({})).status).toBe(200);
  expect((await call({ 'Service-Version': '2021-01-01' })).status).toBe(200);
  const refused = await call({ 'Service-Version': '1999-01-01' });
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    'Service-Version 1999-01-01 is no known version; known: 2022-10-31, 2021-01-01.',
  ]);
  expect(market.requestLog.calls().map((logged) => logged.version)).toEqual(['2022-10-31', '2021-01-01', null]);
  market.changeSettings({ versionHeader: 'Shop-Version' });
  expect((await call({ 'Service-Version': '1999-01-01' })).status).toBe(200);
});

test('a missing trailing slash is answered with 400, or a redirect', async () => {
  const market = await start();
  const missed = await market.call('GET', '/products?page=1');
  expect([missed.status, missed.body.detail]).toEqual([400, 'The path must end with a slash: /api/v2/products/']);
  market.changeSettings({ trailingSlash: 'redirect' });
  const redirected = await market.call('GET', '/products?page=1');
  expect([redirected.status, redirected.headers.get('location')]).toEqual([301, '/api/v2/products/?page=1']);
});

test('unknown paths, methods, content types and bodies are refused', async () => {
  const market = await start();
  const status = async (...call: Parameters<Started['call']>) => (await market.call(...call)).status;
  expect(await status('GET', '/nothing/')).toBe(404);
  expect(await status('PATCH', '/products/%E0%A4%A/', {})).toBe(404);
  expect(await status('PUT', '/products/1/', {})).toBe(405);
  expect(await status('DELETE', '/orders-received/')).toBe(405);
  expect(await status('POST', '/products/', '{}', { 'content-type': 'text/plain' })).toBe(415);
  expect(await status('POST', '/products/', '[]')).toBe(400);
  expect(await status('POST', '/products/', 'x'.repeat(5_000_001))).toBe(413);
});

test('a refusal names the fields, or has all of it in one detail', async () => {
  const market = await start();
  expect((await market.call('POST', '/products/', {})).body).toEqual({
    sku: ['This field is required.'],
    name: ['This field is required.'],
  });
  market.changeSettings({ errorBody: 'detail' });
  expect((await market.call('POST', '/products/', {})).body).toEqual({
    detail: 'sku: This field is required.; name: This field is required.',
  });
});

test('the log of the sandbox records every call, its caller and its result', async () => {
  const market = await start();
  await market.call('POST', '/products/', { sku: 'A', name: 'A' });
  await market.call('GET', '/products/?page=9');
  await market.call('GET', '/nowhere/', undefined, as('App wrong'));
  expect(market.requestLog.calls()).toMatchObject([
    {
      method: 'POST',
      operation: 'products.create',
      owner: 'brand',
      status: 201,
      applied: true,
      body: '{"sku":"A","name":"A"}',
    },
    { url: '/api/v2/products/?page=9', operation: 'products.list', status: 404, applied: false },
    { operation: null, owner: null, status: 401, applied: false },
  ]);
  expect(market.requestLog.counts()).toEqual({ 'products.create': 1, 'products.list': 1, none: 1 });
  expect(market.requestLog.statuses()).toEqual({ 201: 1, 404: 1, 401: 1 });
  market.requestLog.reset();
  expect([market.requestLog.total(), market.requestLog.calls()]).toEqual([0, []]);
});
