import { expect, it } from 'vitest';
import { start, TEXT } from './started.ts';

it.each([undefined, 'Bearer guess', 'App sesame-4711', 'Bearer '])(
  'a request with %s is answered 401',
  async (authorization) => {
    const { erp } = await start();
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const path of ['/v1/ping', '/v1/products', '/v1/orders/SO-1']) {
      const response = await fetch(erp.url + path, { headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: TEXT });
    }
  },
);

it('lists return every row once, page by page, with the start time and complete at the end', async () => {
  const { control, call, clock } = await start();
  control.seed(25);
  const skus: string[] = [];
  const said: boolean[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await call('GET', `/v1/products?limit=10${cursor}`);
    skus.push(...body.items.map((item) => item.sku));
    said.push(body.complete);
    expect(body.as_of).toBe('2030-01-01T00:00:00.000Z');
    clock.ms += 1_000;
    if (body.next === null) break;
    cursor = `&cursor=${encodeURIComponent(body.next)}`;
  }
  expect(skus).toEqual(Array.from({ length: 25 }, (_, index) => `SB-${String(index + 1).padStart(4, '0')}`));
  expect(said).toEqual([false, false, true]);
});

it('lists since a time return rows changed then or later, also rows changed during the read', async () => {
  const { control, call, clock } = await start();
  control.seed(4);
  clock.ms += 1_000;
  const since = encodeURIComponent(new Date(clock.ms).toISOString());
  control.setProduct('SB-0002', { active: false });
  control.setProduct('SB-0003', { price: { amount: '1.99', currency: 'USD' } });
  const first = (await call('GET', `/v1/products?changed_since=${since}&limit=1`)).body;
  expect(first.items).toMatchObject([{ sku: 'SB-0002', active: false }]);
  clock.ms += 1;
  control.setProduct('SB-0002', { deleted: true });
  const cursor = encodeURIComponent(first.next ?? '');
  const rest = (await call('GET', `/v1/products?changed_since=${since}&cursor=${cursor}`)).body;
  expect(rest.items).toMatchObject([
    { sku: 'SB-0003', price: { amount: '1.99', currency: 'USD' } },
    { sku: 'SB-0002', deleted: true },
  ]);
});

it.each([
  '/v1/products?limit=0',
  '/v1/products?limit=ten',
  '/v1/products?cursor=nonsense',
  '/v1/products?changed_since=yesterday',
  '/v1/customers?marketplace_id=x',
  '/v1/stock?sku=%ff',
])('a list with %s is answered 400 with an error', async (path) => {
  const { call } = await start();
  expect(await call('GET', path)).toMatchObject({ status: 400, body: { error: TEXT } });
});

it('a list refuses the cursor of another list', async () => {
  const { control, call } = await start();
  control.seed(3);
  const { body } = await call('GET', '/v1/products?limit=1');
  expect((await call('GET', `/v1/stock?cursor=${encodeURIComponent(body.next ?? '')}`)).status).toBe(400);
});

it('stock by SKU is split at commas before decoding', async () => {
  const { control, call } = await start();
  control.addProducts(['A', 'B,C', 'B', 'ü'].map((sku) => ({ sku })));
  const { body } = await call('GET', '/v1/stock?sku=A,B%2CC,%C3%BC,nobody');
  expect(body.items.map((row) => row.sku)).toEqual(['A', 'B,C', 'ü']);
});

it('a SKU that is stored twice is listed twice', async () => {
  const { control, call } = await start();
  control.addProducts([{ sku: 'A' }, { sku: 'A' }]);
  expect((await call('GET', '/v1/products')).body.items.map((item) => [item.id, item.sku])).toEqual([
    ['P-000001', 'A'],
    ['P-000002', 'A'],
  ]);
});
