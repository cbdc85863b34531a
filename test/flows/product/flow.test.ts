import { expect, test } from 'vitest';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { d, erpProduct, stockRow, useShelf } from '../../store/shelf.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();

/** The quantity with which the listing of a new ERP product would begin. */
async function firstQuantity(available: string | null, problem: string | null = null): Promise<string | null> {
  const { store } = shelf();
  await store.facts.set('main', 'listings-known', 'yes');
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  if (available !== null) {
    const row = stockRow({ available: d(available), problem });
    await store.erp.recordStock('main', [row], 'poll');
  }
  const config = accountConfig({ inventory: { strategy: 'b', buffer: '2.5' } });
  const { actions } = await FLOW_RUNS.product.plan(accountContext(store, config), 'P-1');
  expect(actions).toMatchObject([{ action: 'product.create' }]);
  return /quantity ([\d.]+)/.exec(actions[0]?.after ?? '')?.[1] ?? null;
}

test.each([
  ['40', '37.5'],
  ['2.5', '0'],
  // Nothing to sell, and nothing that could be sold short.
  ['1', null],
  ['-3', null],
  ['1.00001', null],
  ['1000000000', null],
])('a new listing of %s available begins with %s', async (available, expected) => {
  expect(await firstQuantity(available)).toBe(expected);
});

test('a new listing has no stock when the ERP states none or an impossible figure', async () => {
  expect(await firstQuantity(null)).toBeNull();
  expect(await firstQuantity('40', 'available 41 is not on hand − reserved (40)')).toBeNull();
});
