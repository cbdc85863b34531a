import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { addCustomer, addProduct, type Started, start } from './api.ts';

interface Hook {
  readonly signature: string | undefined;
  readonly raw: string;
  readonly action: string;
  readonly type: string;
  readonly data: { readonly number?: string; readonly sku?: string; readonly [name: string]: unknown };
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A receiver that answers with these statuses in turn, then 202. */
async function receiver(header = 'service-signature', statuses: number[] = []) {
  const hooks: Hook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const signature = request.headers[header] as string | undefined;
      hooks.push({ ...(JSON.parse(raw) as Omit<Hook, 'raw' | 'signature'>), raw, signature });
      response.writeHead(statuses.shift() ?? 202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { hooks, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}

const BOTH = ['order', 'product'] as const;
const skus = (hooks: readonly Hook[]) => hooks.map((hook) => hook.data.sku ?? '');
const makeProducts = (market: Started, names: readonly string[]) => {
  for (const sku of names) addProduct(market, 1, { sku });
};

test('an order sends one webhook for itself and one for every product it moved, signed over the raw body', async () => {
  const { hooks, url } = await receiver();
  const market = await start();
  const [first, second] = [addProduct(market, 10, { sku: 'A' }), addProduct(market, 10, { sku: 'B' })];
  const customer = addCustomer(market);
  market.webhooks.setTargets([{ url, types: BOTH, secret: 'shh' }]);
  const items = [
    { product: first, quantity: 1 },
    { product: second, quantity: 2 },
  ];
  const order = market.placeOrder({ customer, items });
  await market.webhooks.settled();
  expect(hooks.map((hook) => `${hook.type} ${hook.action}`).toSorted()).toEqual([
    'order create',
    'product edit',
    'product edit',
  ]);
  for (const hook of hooks) {
    expect(hook.signature).toBe(createHmac('sha256', 'shh').update(hook.raw).digest('base64'));
  }
  const data = hooks.find((hook) => hook.type === 'order')?.data ?? {};
  expect(data.number).toBe(order.number);
  expect(data['orderedproduct_set']).toMatchObject([{ quantity: '1.0000' }, { quantity: '2.0000' }]);
  expect([data['modified'], data['line_items']]).toEqual([undefined, undefined]);
  expect(hooks.find((hook) => hook.data.sku === 'B')?.data).toMatchObject({ quantity: 10, reserved_qty: 2 });
});

test('webhook targets receive orders or products, under another header, without a secret', async () => {
  const named = await receiver('x-shop-signature');
  const bare = await receiver();
  const market = await start({
    webhooks: [
      { url: named.url, types: ['product'], secret: 's', header: 'X-Shop-Signature' },
      { url: bare.url, types: ['order'], secret: null },
    ],
  });
  const product = addProduct(market, 5);
  market.placeOrder({ customer: addCustomer(market), items: [{ product, quantity: 1 }] });
  market.archiveProduct(product);
  await market.webhooks.settled();
  expect(named.hooks.map((hook) => hook.action).toSorted()).toEqual(['create', 'delete', 'edit']);
  expect(named.hooks.every((hook) => hook.signature !== undefined)).toBe(true);
  expect(bare.hooks.map((hook) => [hook.type, hook.signature])).toEqual([['order', undefined]]);
});

test('a refused webhook is retried, and given up after the last try', async () => {
  const { hooks, url } = await receiver('service-signature', [500, 503, 202, 500, 500, 500]);
  const market = await start({ webhooks: [{ url, types: BOTH, secret: null }], webhookRetryDelaysMs: [1, 1] });
  makeProducts(market, ['A']);
  await market.webhooks.settled();
  makeProducts(market, ['B']);
  await market.webhooks.settled();
  expect(skus(hooks)).toEqual(['A', 'A', 'A', 'B', 'B', 'B']);
  expect(market.webhooks.deliveries()).toMatchObject([
    { outcome: 'delivered', tries: 3, status: 202 },
    { outcome: 'failed', tries: 3, status: 500 },
  ]);
});

test('a webhook may be lost, doubled, late, or out of order', async () => {
  const { hooks, url } = await receiver();
  const market = await start({ webhooks: [{ url, types: BOTH, secret: null }] });
  market.faults.set({ kind: 'webhook-lost', entity: 'products', times: 1 });
  makeProducts(market, ['lost', 'kept']);
  market.faults.set({ kind: 'webhook-doubled', times: 1 });
  makeProducts(market, ['twice']);
  market.faults.set({ kind: 'webhook-late', ms: 20, times: 1 });
  makeProducts(market, ['late']);
  await market.webhooks.settled();
  expect(skus(hooks).toSorted()).toEqual(['kept', 'late', 'twice', 'twice']);
  expect(market.webhooks.deliveries()[0]).toMatchObject({ outcome: 'lost', tries: 0 });

  hooks.length = 0;
  market.faults.set({ kind: 'webhook-reordered', batch: 3, times: 3 });
  makeProducts(market, ['1', '2']);
  expect(market.webhooks.deliveries().slice(-2)).toMatchObject([{ tries: 0 }, { tries: 0 }]);
  makeProducts(market, ['3']);
  await market.webhooks.settled();
  expect(skus(hooks).toSorted()).toEqual(['1', '2', '3']);
});

test('closing does not wait for a missing webhook receiver', async () => {
  const market = await start({ webhooks: [{ url: 'http://127.0.0.1:9/hooks', types: BOTH, secret: null }] });
  makeProducts(market, ['A']);
  await expect.poll(() => market.webhooks.deliveries()[0]?.tries, { timeout: 90_000 }).toBe(1);
  await market.close();
  expect(market.webhooks.deliveries()[0]?.outcome).toBe('failed');
});

test('bulk creates and refused changes send no webhook', async () => {
  const { hooks, url } = await receiver();
  const market = await start({ webhooks: [{ url, types: BOTH, secret: null }] });
  market.createProducts([{ sku: 'A', name: 'A' }]);
  await market.call('PATCH', '/products/1/', { quantity: -1 });
  await market.webhooks.settled();
  expect(hooks).toEqual([]);
});
