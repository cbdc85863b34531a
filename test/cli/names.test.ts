import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { erpProduct, order, orderBatch } from '../store/shelf.ts';
import { causeOf } from '../support/causes.ts';
import { installation } from './installation.ts';

let site: ReturnType<typeof installation>;
let store: Store;

const NUMBER = '9f1c0a52-7a51-4c1e-b0a4-5d0c6f1f2a11';
const link = (kind: 'product' | 'order' | 'customer', marketplaceId: string, erpId: string) =>
  store.links.link({ account: 'main', kind, marketplaceId, erpId, how: 'operator' }, false, 'a test');

beforeEach(async () => {
  site = installation();
  ({ store } = await site.open());
  const products = [erpProduct({ id: 'P-000001', sku: 'SB-0001' }), erpProduct({ id: 'P-000002', sku: 'SB-0002' })];
  await store.erp.recordProducts('main', products, { listing: null, lane: 'poll' });
  await store.orders.record(orderBatch([order({ number: NUMBER, customer: { id: 815, name: 'Corner Shop' } })]));
  await link('product', '4711', 'P-000001');
  await link('order', NUMBER, 'SO-1017');
  await link('customer', '815', 'C-001003');
});

test.each([
  ['stock', 'SB-0001', 'P-000001'],
  ['product', '4711', 'P-000001'],
  ['product', 'P-000001', 'P-000001'],
  ['order-in', '9f1c', NUMBER],
  ['order-in', 'SO-10', NUMBER],
  ['order-out', '9f1c0a52', 'SO-1017'],
  ['customer-in', 'C-0010', '815'],
])('jobs show %s %s finds an entity by its SKU, its number on either side, or a prefix', async (flow, name, key) => {
  for (const args of [[flow, name], [`${flow}/${name}`]])
    expect(await site.json('jobs', 'show', ...args)).toMatchObject({ flow, key });
});

test('jobs show refuses an ambiguous prefix and one that is too short', async () => {
  const several = await site.run('jobs', 'show', 'product', 'SB-00');
  expect([several.exitCode, several.stderr]).toEqual([
    1,
    'stockbridge: SB-00 is the beginning of several: product 4711 on the marketplace, P-000001 in the ERP; product P-000002 in the ERP. Name one of them by its whole id or number\n',
  ]);
  expect((await site.run('jobs', 'show', 'order-in', '9f1')).exitCode).toBe(1);
});

test('jobs show finds a link and a customer by the same names', async () => {
  expect((await site.run('map', 'unlink', 'product', 'SB-0001')).stdout).toContain('product 4711 of the marketplace');
  expect((await site.run('customer', 'export', 'C-001')).stdout).toContain('"marketplaceId": 815');
  expect((await site.run('map', 'unlink', 'order', '--marketplace', '9f1c')).stdout).toContain('SO-1017 of the ERP');
});

const event = (kind: 'orders' | 'products', body: string) => {
  return { account: 'main', kind, body: Buffer.from(body), receivedAtMs: Date.now() };
};

/** Puts one entity on every kind of record. */
async function onRecord(): Promise<void> {
  const entry = { account: 'main', action: 'x', target: 'y', before: null, after: null, why: '', answer: '' };
  await store.journal.add({ ...entry, flow: 'stock', key: 'P-000001', outcome: 'written' });
  await store.journal.add({ ...entry, flow: 'order-in', key: NUMBER, outcome: 'written' });
  await store.inbox.store([event('orders', 'an order'), event('products', 'a listing')]);
  for (const kind of ['orders', 'products'] as const) {
    const [{ id } = { id: 0 }] = await store.inbox.unprocessed('main', kind, 1);
    await store.inbox.processed([{ id, entity: kind === 'orders' ? NUMBER : '4711' }]);
  }
}

const NAMES_OF_PRODUCT = ['SB-0001', 'sb-0001', '4711', 'P-000001'];
const NAMES_OF_ORDER = [NUMBER, '9f1c', 'SO-1017', 'SO-10'];

test.each([
  [['journal', '--key'], NAMES_OF_PRODUCT, [{ action: 'map.link' }, { flow: 'stock', key: 'P-000001' }]],
  [['journal', '--key'], NAMES_OF_ORDER, [{ action: 'map.link' }, { flow: 'order-in', key: NUMBER }]],
  [['events', 'list', '--entity'], NAMES_OF_PRODUCT, [{ entity: '4711' }]],
  [['events', 'list', '--entity'], NAMES_OF_ORDER, [{ entity: NUMBER }]],
  [['explain'], NAMES_OF_PRODUCT, { marketplaceId: '4711', erpId: 'P-000001' }],
  [['explain'], NAMES_OF_ORDER, { marketplaceId: NUMBER, erpId: 'SO-1017' }],
] as const)('%j takes any name of an entity, and refuses an ambiguous prefix', async (verb, names, shown) => {
  await onRecord();
  for (const name of names) {
    const answer = await site.json(...verb, name);
    expect([name, answer]).toMatchObject([name, shown]);
    if (Array.isArray(shown)) expect(answer).toHaveLength(shown.length);
  }
  const several = await site.run(...verb, 'SB-00');
  expect([several.exitCode, several.stderr]).toEqual([1, expect.stringContaining('SB-00 is the beginning of several')]);
});

test('an approval excludes a write by any name of its entity', async () => {
  const write = { action: 'product.archive', before: 'listed', after: 'archived', why: 'it is gone' };
  const writes = ['P-000001', 'P-000002'].map((key) => ({ ...write, key, target: `listing of ${key}` }));
  const limit = { holdsAll: false, reason: causeOf('more than 1 a day'), expiryMs: 60_000 };
  await store.brakes.hold({ account: 'main', flow: 'product', kind: 'archive' }, writes, limit);
  const [held] = await store.brakes.list();
  const answer = await site.json('brakes', 'approve', held?.hash ?? '', '--except', 'product/SB-0002');
  expect(answer).toMatchObject({ approved: [{ key: 'P-000001' }], excepted: [{ key: 'P-000002' }] });
});
