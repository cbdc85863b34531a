import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const link = (id: number) =>
  ({ account: 'main', kind: 'product', marketplaceId: String(id), erpId: `P-${id}`, how: 'import' }) as const;
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...link(at + 1), createdAtMs: null }));
const isLinked = async (id: number) => (await shelf().store.mappings.byErpId('main', 'product', `P-${id}`)) !== null;

test('a bulk link makes none of its links when the last one conflicts', async () => {
  const { links } = shelf().store;
  await links.link({ ...link(2_500), erpId: 'P-other' }, false, 'somebody');
  const result = await links.linkAll(many(2_500), true, 'me');
  expect(result).toMatchObject({ linked: 2_499, kept: 0, conflicts: [{ index: 2_499 }] });
  expect(await isLinked(1)).toBe(false);
});

test('a bulk link lets other writers run in between; their conflict is reported with the number of links made before', async () => {
  const { links } = shelf().store;
  const all = links.linkAll(many(2_500), true, 'me');
  while (!(await isLinked(1))) await nextTurn();
  await links.link({ ...link(2_500), erpId: 'P-other' }, false, 'somebody');
  const { kept, conflicts } = await all;
  expect(conflicts).toMatchObject([{ index: 2_499 }]);
  expect(kept).toBeGreaterThanOrEqual(500);
  expect([await isLinked(1), await isLinked(kept), await isLinked(kept + 1)]).toEqual([true, true, false]);
});
