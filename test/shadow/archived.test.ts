import { expect, test } from 'vitest';
import { sweepProducts } from '../../src/shadow/read-products.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { at, useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const look = { key: 'all', lane: 'backfill', signal: new AbortController().signal } as const;

interface Row {
  readonly id: number;
  readonly listing_state?: string;
  readonly archived?: boolean;
}

const row = (of: Row) => ({ sku: `SB-${of.id}`, modified: at(of.id), created_on: at(of.id), quantity: 1, ...of });

/** Sweeps a marketplace with these answers. Returns the archived listings and the number of calls. */
async function sweep(live: readonly Row[], underFilter: readonly Row[]) {
  const { store } = shelf();
  let calls = 0;
  const list = async (_id: string, { query }: { query: { archived?: boolean; created_on__gte?: string } }) => {
    calls += 1;
    const all = (query.archived === true ? underFilter : live).map(row);
    const raw = all.filter(({ created_on }) => created_on >= (query.created_on__gte ?? ''));
    return { count: raw.length, more: false, rows: raw, raw, invalidRows: [] };
  };
  const client = { list } as never;
  await sweepProducts(accountContext(store, accountConfig(), { client }), look);
  const known = await store.products.list('main', 0, 100);
  return { calls, archived: known.filter(({ archived }) => archived).map(({ id }) => id) };
}

test('a listing that only the archived filter returns is archived, whatever its row says', async () => {
  const rows = [{ id: 3, listing_state: 'Available' }, { id: 4 }];
  expect((await sweep([{ id: 1 }, { id: 2, listing_state: 'Available' }], rows)).archived).toEqual([3, 4]);
});

test('a listing that is also returned without the filter is not archived: the filter may be ignored, or return those as well', async () => {
  const live = [{ id: 1 }, { id: 2, listing_state: 'Available' }];
  expect(await sweep(live, live)).toMatchObject({ archived: [], calls: 3 });
  expect((await sweep(live, [...live, { id: 3, listing_state: 'Available' }])).archived).toEqual([3]);
});

test('a row that says itself that it is not archived is trusted', async () => {
  expect((await sweep([{ id: 1 }], [{ id: 2, archived: false }])).archived).toEqual([]);
});
