import { expect, test } from 'vitest';
import { lastRead } from '../../src/shadow/last-read.ts';
import { BATCHES_KNOWN, readBatches } from '../../src/shadow/read-batches.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();

const FACILITIES = {
  created_by: 17,
  batches: { match: 'name', fields: { name: 'batch' } },
  map: [{ erp_location: 'EAST', facility_id: 2 }],
};
const look = { key: 'all', lane: 'poll', signal: new AbortController().signal } as const;

test('a list with a batch that cannot be stored is not complete, because the batch would be created again', async () => {
  const { store } = shelf();
  const unstored = { id: null, name: 'LOT-7' };
  let rows: readonly object[] = [{ id: 1, name: 'LOT-1' }, unstored, { id: 3, name: 'LOT-3' }];
  const list = async () => ({ rows, raw: rows, invalidRows: [], count: rows.length, more: false });
  const context = accountContext(store, accountConfig({ facilities: FACILITIES }), { client: { list } as never });
  const known = async () => [await store.facts.get('main', BATCHES_KNOWN), await lastRead(context, 'batches')];

  await expect(readBatches(context, look)).rejects.toThrow(
    "the marketplace's list of batches is not whole: it has a row that cannot be stored. No batch is made meanwhile.",
  );
  expect(await known()).toEqual([null, null]);
  expect(await store.batches.get('main', 3)).not.toBeNull();

  rows = rows.map((row) => (row === unstored ? { ...unstored, id: 2 } : row));
  await readBatches(context, look);
  expect(await known()).toEqual(['name', expect.anything()]);
});
