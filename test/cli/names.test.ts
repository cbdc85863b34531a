import { beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { erpProduct, order, orderBatch } from '../store/shelf.ts';
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
])('jobs show %s %s: by its SKU, its number on either side, or a beginning', async (flow, name, key) => {
  for (const args of [[flow, name], [`${flow}/${name}`]])
    expect(await site.json('jobs', 'show', ...args)).toMatchObject({ flow, key });
});

test('a beginning of several, and one that is too short, name nothing', async () => {
  const several = await site.run('jobs', 'show', 'product', 'SB-00');
  expect([several.exitCode, several.stderr]).toEqual([
    1,
    'stockbridge: SB-00 is the beginning of several: product 4711 on the marketplace, P-000001 in the ERP; product P-000002 in the ERP\n',
  ]);
  expect((await site.run('jobs', 'show', 'order-in', '9f1')).exitCode).toBe(1);
});

test('a link and a customer are named so too', async () => {
  expect((await site.run('map', 'unlink', 'product', 'SB-0001')).stdout).toContain('product 4711 of the marketplace');
  expect((await site.run('customer', 'export', 'C-001')).stdout).toContain('"marketplaceId": 815');
  expect((await site.run('map', 'unlink', 'order', '--marketplace', '9f1c')).stdout).toContain('SO-1017 of the ERP');
});
