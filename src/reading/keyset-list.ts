import { type KeysetStep, readKeyset } from '../marketplace/keyset.ts';
import { overlapStart } from '../marketplace/keyset-instants.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { AccountContext } from '../reconcile/context.ts';
import type { Window } from '../store/cursors.ts';
import { HOLE, readHole } from './holes.ts';
import { instantField, listQuery } from './list.ts';

/** The overlap is free while it holds less than a page: beyond this many rows only a deep read reaches back. */
const FREE_OVERLAP_ROWS = 450;

/** A page as the reader gave it; a finding of ours may stand in the place of the reader's. */
export type Step<Row> = Omit<KeysetStep<ListPage<Row>>, 'finding'> & { readonly finding: string | null };

export function windowOf(
  account: string,
  collection: string,
  { page, covered, finding, cursor }: Step<unknown>,
): Window {
  return { account, collection, ...covered, rows: page.raw.length, finding, cursor };
}

/** Where reading changes begins: the cursor less the overlap, which is taken as far as it is free unless it is `deep`. */
export async function overlapFrom(
  { account, config, store }: AccountContext,
  collection: 'orders' | 'products' | 'customers',
  cursor: string | null,
  deep = false,
): Promise<string | null> {
  const nth = deep ? null : await store[collection].nthNewestModified(account, FREE_OVERLAP_ROWS);
  return overlapStart(cursor, config.marketplace.poll.overlapMs, nth);
}

/**
 * Reads what changed, and then again what no read has covered.
 * @param read from this instant on
 * @param record stores a step; it belongs to a hole where its finding says so
 */
export async function readChanges<Row>(
  context: AccountContext,
  collection: string,
  start: string | null,
  read: (from: string | null) => AsyncIterable<Step<Row>>,
  record: (step: Step<Row>) => Promise<void>,
): Promise<void> {
  for await (const step of read(start)) await record(step);
  await readHole(context, collection, read, (step) => record({ ...step, finding: HOLE }));
}

interface ListRequest extends ReturnType<typeof listQuery> {
  readonly modified__gte?: string;
  readonly created_on__gte?: string;
}

/** A list that can also be read whole, by `created_on`, which never changes. */
export interface KeysetList<Row> {
  readonly collection: 'products' | 'customers';
  /** What is filtered and ordered by, as the rows call it. */
  readonly rowFields: { readonly modified: string; readonly created_on: string };
  /** @param archived those that deployments may leave out of the list unless they are asked for */
  readonly fetch: (query: ListRequest, archived: boolean) => Promise<ListPage<Row>>;
  readonly record: (page: ListPage<Row>, window: Window) => Promise<void>;
  /** A row that only the filter for archived ones shows. */
  readonly shownAsArchived: (row: Row) => Row;
}

interface Reading {
  readonly start: string | null;
  readonly cursor: string | null;
  readonly archived: boolean;
}

const WHOLE: Reading = { start: null, cursor: null, archived: false };

function readBy<Row>(
  { rowFields, fetch }: KeysetList<Row>,
  field: 'modified' | 'created_on',
  { start, cursor, archived }: Reading,
): AsyncIterable<Step<Row>> {
  return readKeyset({
    start,
    cursor,
    field: rowFields[field],
    key: 'id',
    fetch: ({ from, page }) => {
      const since = from === null ? {} : field === 'modified' ? { modified__gte: from } : { created_on__gte: from };
      return fetch({ ...listQuery(page, field), ...since }, archived);
    },
  });
}

/** Reads the rows that changed since the cursor, and then again what no read has covered. */
export async function readChangedRows<Row>(
  context: AccountContext,
  list: KeysetList<Row>,
  cursor: string,
  record: (step: Step<Row>) => Promise<void>,
): Promise<void> {
  const start = await overlapFrom(context, list.collection, cursor);
  const read = (from: string | null) => readBy(list, 'modified', { start: from, cursor, archived: false });
  await readChanges(context, list.collection, start, read, record);
}

/** Reads every row there is, and then the archived ones. */
export async function sweepList<Row extends { readonly id: number }>(
  { account, store }: AccountContext,
  list: KeysetList<Row>,
): Promise<void> {
  const { collection } = list;
  // What changes from here on is later than this: it is where reading changes begins.
  const newest = (await store.cursors.get(account, collection)) === null ? await newestModified(list) : null;
  const live = new Set<number>();
  for await (const step of readBy(list, 'created_on', WHOLE)) {
    await list.record(step.page, windowOf(account, `all-${collection}`, { ...step, cursor: null }));
    for (const { id } of step.page.rows) live.add(id);
  }
  await sweepArchived(account, list, live);
  if (newest === null) return;
  const window = { account, collection, from: null, to: newest, rows: 0, finding: 'all were read' };
  await store.cursors.record({ ...window, cursor: newest });
}

async function newestModified({
  fetch,
  rowFields,
}: Pick<KeysetList<unknown>, 'fetch' | 'rowFields'>): Promise<string | null> {
  const { raw } = await fetch({ ordering: '-modified', page: 1, page_size: 1 }, false);
  return instantField(raw[0], rowFields.modified);
}

/**
 * What only the filter shows is archived, even where its row does not say so. A deployment that ignores the filter
 * answers with what was read already: then the first page is enough.
 * @param live what was shown without the filter
 */
async function sweepArchived<Row extends { readonly id: number }>(
  account: string,
  list: KeysetList<Row>,
  live: ReadonlySet<number>,
): Promise<void> {
  for await (const step of readBy(list, 'created_on', { ...WHOLE, archived: true })) {
    const rows = step.page.rows.map((row) => (live.has(row.id) ? row : list.shownAsArchived(row)));
    const window = windowOf(account, `archived-${list.collection}`, { ...step, cursor: null });
    await list.record({ ...step.page, rows }, window);
    if (rows.every(({ id }) => live.has(id)) && step.page.count <= live.size) return;
  }
}
