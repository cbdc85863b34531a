import { expect, test } from 'vitest';
import { erpProduct, product, productBatch, useShelf } from '../shelf.ts';

const shelf = useShelf();
const NOBODY = 'nobody';
const batch = (tick: number, rows: readonly [number, string][], absent: readonly number[] | 'all' | null = null) => ({
  account: 'main',
  rows: rows.map(([listingId, content]) => ({ listingId, content })),
  absent: absent === null ? null : { of: absent === 'all' ? null : absent, except: new Set([72]), content: NOBODY },
  tick,
  lane: 'poll' as const,
});

test('assignments are stored by listing; a missing listing has none only where absence counts', async () => {
  const { assignments } = shelf().store;
  const rows: [number, string][] = [
    [70, 'a'],
    [71, 'b'],
    [72, 'c'],
  ];
  await assignments.record(batch(1, rows));
  await assignments.record(batch(2, [[70, 'a2']]));
  const all = () => Promise.all([70, 71, 72, 73].map((id) => assignments.get('main', id)));
  expect(await all()).toEqual(['a2', 'b', 'c', null]);
  await assignments.record(batch(3, [], [70]));
  expect(await all()).toEqual([NOBODY, 'b', 'c', null]);
  await assignments.record(batch(4, [], 'all'));
  expect(await all()).toEqual([NOBODY, NOBODY, 'c', null]);
  expect(await assignments.count('main', NOBODY)).toBe(1);
});

test('an assignments answer to an older request changes nothing, and a new one marks the product', async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
  await store.assignments.record(batch(5, [[70, 'new']]));
  const key = { account: 'main', flow: 'assignments', key: 'P-1' };
  expect(await store.work.get(key)).toMatchObject({ reason: 'its assignments changed on the marketplace' });
  await store.assignments.record(batch(4, [[70, 'old']]));
  expect(await store.assignments.get('main', 70)).toBe('new');
  const rows = await store.observe.assignments('main', 'P-1', []);
  expect(rows).toMatchObject({ erp: { id: 'P-1' }, listing: { id: 70 }, content: 'new', invalidRow: null });
});

test('the marketplace customers linked to ERP customers are found, read or not', async () => {
  const { store } = shelf();
  await store.mappings.link({ account: 'main', kind: 'customer', marketplaceId: '5', erpId: 'C-5', how: 'operator' });
  const found = await store.observe.linkedCustomers('main', ['C-5', 'C-6']);
  expect([...found]).toEqual([['C-5', { id: 5, stored: null }]]);
});
