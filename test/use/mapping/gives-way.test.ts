import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { suggestPairs } from '../../../src/use/mapping/suggest.ts';

test('a search for pairs in a large catalogue lets other work run: probes and webhooks are answered meanwhile', async () => {
  const products = Array.from({ length: 400 }, (_, at) => ({ id: `P-${at}`, sku: `SB-${at}`, name: `Soap ${at}` }));
  const store = {
    unlinked: { products: async (_account: string, after: string) => (after === '' ? products : []) },
    observe: { product: async () => ({ alike: [] }) },
    erp: { productIds: async () => [] },
  } as unknown as Store;
  let turns = 0;
  let turning = setImmediate(function turn() {
    turns += 1;
    turning = setImmediate(turn);
  });
  onTestFinished(() => clearImmediate(turning));
  expect(await suggestPairs(store, 'main')).toEqual([]);
  expect(turns).toBeGreaterThanOrEqual(10);
});
