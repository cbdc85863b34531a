import { expect, test, vi } from 'vitest';
import type * as ReadErp from '../../../src/shadow/read-erp.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/shadow/read-erp.ts', async (original) => {
  const real = await original<typeof ReadErp>();
  const believing: typeof real.listErpProducts = async ({ account, erp, store }, look) => {
    for (let turn = 0; turn < 2; turn += 1) {
      const listing = await store.cursors.tick(account);
      for await (const page of erp.listProducts(null, look.signal)) {
        await store.erp.recordProducts(account, page.items, { listing, lane: look.lane });
      }
      await store.erp.closeListing(account, listing);
    }
  };
  return { ...real, listErpProducts: believing };
});

test('archiving whatever a listing lacks, complete or not, is caught', async () => {
  expect(await untilBroken(800)).toMatch(/I5|I6/);
});
