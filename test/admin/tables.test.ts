import { expect, test } from 'vitest';
import { createMetrics } from '../../src/daemon/metrics.ts';
import { erpProduct, order, orderBatch, useShelf } from '../store/shelf.ts';
import { adminWith, QUIET } from '../support/admin.ts';

const shelf = useShelf();

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}

function asked(url: string) {
  const { app } = adminWith({
    registry: createMetrics().registry,
    keys: () => ({ operator: null, viewer: 'the-viewer-token', users: [] }),
    openedFor: ({ name }) => ({
      ...QUIET,
      config: { accounts: [{ name: 'main' }], unusable: [] } as never,
      store: shelf().store,
      by: name,
      log: null as never,
    }),
  });
  return app.inject({ url: `/api/v1/accounts/${url}`, headers: { authorization: 'Bearer the-viewer-token' } });
}

test('the API pages through orders and products by key, each once, and finds them by the beginning of a name', async () => {
  const { store } = shelf();
  const numbers = ['aaaa-1', 'aaaa-2', 'bbbb-1'];
  await store.orders.record(orderBatch(numbers.map((number) => order({ number }))));
  const products = ['P-1', 'P-2', 'P-3'].map((id) => erpProduct({ id, sku: `SKU&=${id}` }));
  await store.erp.recordProducts('main', products, { listing: null, lane: 'poll' });
  for (const [table, field, whole] of [
    ['main/orders?sort=number', 'number', numbers],
    ['main/products?sort=sku', 'id', ['P-1', 'P-2', 'P-3']],
  ] as const) {
    const found: unknown[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const answer = await asked(`${table}&limit=1${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`);
      expect(answer.statusCode).toBe(200);
      const page = answer.json<Page>();
      expect(page.items).toHaveLength(1);
      found.push(page.items[0]?.[field]);
      next = page.next;
    }
    expect(found).toEqual(whole);
  }
  const some = (await asked('main/orders?search=aaaa&sort=number')).json<Page>();
  expect(some.items.map(({ number }) => number)).toEqual(['aaaa-1', 'aaaa-2']);
  expect((await asked('other/orders')).statusCode).toBe(404);
  for (const url of ['main/orders?after=x', 'main/products?limit=501', 'main/products?search=%00&x=1'])
    expect((await asked(url)).statusCode, url).toBe(400);
});
