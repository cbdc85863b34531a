import { cause } from '../domain/causes/cause.ts';
import { type KeysetStep, readKeyset } from '../marketplace/keyset.ts';
import type { ListPage } from '../marketplace/page.ts';
import type { Window } from '../store/reading.ts';
import { setAlert } from './alerts.ts';
import type { AccountRecords, Look, Recording } from './context.ts';
import { HOLE, readHole } from './holes.ts';
import { nullIfRefused } from './optional-call.ts';
import { beginOverlap, type Overlapping, readWhole } from './overlap.ts';
import { fieldOf, instantField, listQuery, PAGE_SIZE } from './pages.ts';
import { pullBackBehind } from './pull-back.ts';
import { beginRoll } from './roll-call.ts';
import { watchFutureRows } from './rows-ahead.ts';

/** A page of the reader. Our own finding may replace the reader's. */
export type Step<Row> = Omit<KeysetStep<ListPage<Row>>, 'finding'> & { readonly finding: string | null };

export function windowOf(
  account: string,
  collection: string,
  { page, covered, finding, cursor }: Step<unknown>,
): Window {
  return { account, collection, ...covered, rows: page.raw.length, finding, cursor };
}

/**
 * Reads changes since the cursor, then the holes.
 * @param cursor the stored one; null: none, so everything is read
 * @param read from this instant on
 * @param record stores a step; its finding says whether it belongs to a hole
 */
export async function readChanges<Row>(
  context: Recording,
  { collection, cursor }: { readonly collection: Overlapping; readonly cursor: string | null },
  read: (from: string | null) => AsyncIterable<Step<Row>>,
  record: (step: Step<Row>) => Promise<void>,
): Promise<void> {
  const overlap = await beginOverlap(context, collection, cursor);
  const ahead = watchFutureRows(context, collection);
  let last: Step<Row> | null = null;
  for await (const step of read(overlap.start)) {
    ahead.saw(step.page.ahead);
    await record(step);
    last = step;
  }
  await ahead.settle();
  await overlap.wasRead();
  await noteShort(context, collection, last);
  await pullBackBehind(context, collection, cursor, {
    servedAt: last?.page.servedAt ?? null,
    namesZones: last?.page.namesZones ?? false,
    // The cursor may advance until the full overlap is read again.
    reachMs: context.config.marketplace.poll.overlapMs / 2,
  });
  await readHole(context, collection, read, (step) => record({ ...step, finding: HOLE }));
}

interface ListRequest extends ReturnType<typeof listQuery> {
  readonly modified__gte?: string;
  readonly created_on__gte?: string;
}

/** A list that can also be read in full by the immutable `created_on`. */
export interface KeysetList<Row> {
  readonly collection: Exclude<Overlapping, 'orders'>;
  /** The row's names of the fields for filters and ordering. */
  readonly rowFields: { readonly modified: string; readonly created_on: string };
  /** @param archived rows that deployments may omit unless asked for */
  readonly fetch: (query: ListRequest, archived: boolean) => Promise<ListPage<Row>>;
  readonly record: (page: ListPage<Row>, window: Window) => Promise<void>;
  /** A row that only the filter for archived rows returned. */
  readonly shownAsArchived: (row: Row) => Row;
  /** Reads and stores rows by id, including archived ones. Returns the ids found. */
  readonly byIds: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
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

export async function readChangedRows<Row>(
  context: Recording,
  list: KeysetList<Row>,
  cursor: string,
  record: (step: Step<Row>) => Promise<void>,
): Promise<void> {
  const read = (from: string | null) => readBy(list, 'modified', { start: from, cursor, archived: false });
  await readChanges(context, { collection: list.collection, cursor }, read, record);
}

/** Reads every live row, then the archived ones. Stored rows that are missing are asked for by id. */
export async function sweepList<Row extends { readonly id: number }>(
  context: Recording,
  look: Look,
  list: KeysetList<Row>,
): Promise<void> {
  const { account, store, now } = context;
  const { collection } = list;
  const beganMs = now();
  const cursor = (await store.cursors.get(account, collection))?.value ?? null;
  // All later changes come after this instant, where reads of changes will begin.
  const newest = cursor === null ? await newestModified(list) : null;
  const live = new Set<number>();
  const roll = await beginRoll(context, look, collection);
  const ahead = watchFutureRows(context, collection);
  let sawAll = true;
  for await (const step of readBy(list, 'created_on', WHOLE)) {
    ahead.saw(step.page.ahead);
    sawAll &&= step.finding !== 'unstable';
    await list.record(step.page, windowOf(account, `all-${collection}`, { ...step, cursor: null }));
    for (const { id } of step.page.rows) live.add(id);
    roll.saw(idsOf(step));
  }
  await ahead.settle();
  sawAll &&= await sweepArchived(account, list, live, (step) => roll.saw(idsOf(step)));
  await roll.settle(sawAll, { witness: 'own-get', shown: (missing, control) => shownById(list, missing, control) });
  if (sawAll) await store.invalidRows.clear(account, collection, beganMs);
  await readWhole(context, collection, { cursor: cursor ?? newest, beganMs });
  if (newest === null) return;
  const window = { account, collection, from: null, to: newest, rows: 0, finding: 'all were read' };
  await store.cursors.record({ ...window, cursor: newest });
}

/** An invalid row also proves that its entity exists. */
function idsOf({ page }: Step<unknown>): string[] {
  return page.raw.flatMap((row) => fieldOf(row, 'id') ?? []);
}

/** An answer without the control row, which certainly exists, proves nothing. */
async function shownById<Row>(
  { byIds }: KeysetList<Row>,
  missing: readonly string[],
  control: string,
): Promise<ReadonlySet<string> | null> {
  const shown = await byIds([...missing, control]);
  return shown.has(control) ? shown : null;
}

/** The newest change time in the list, ignoring the future. null: none, or the server refuses this sort order. */
async function newestModified({
  fetch,
  rowFields,
}: Pick<KeysetList<unknown>, 'fetch' | 'rowFields'>): Promise<string | null> {
  for (const page_size of [1, PAGE_SIZE]) {
    const page = await nullIfRefused(() => fetch({ ordering: '-modified', page: 1, page_size }, false));
    if (page === null) return null;
    const { raw } = page;
    const newest = raw.map((row) => instantField(row, rowFields.modified)).find((instant) => instant !== null);
    if (newest !== undefined || raw.length < page_size) return newest ?? null;
  }
  return null;
}

/**
 * A row that only the filter returns is archived, even if it does not say so. A deployment that ignores the filter
 * repeats known rows, so the first page is enough.
 * @param live rows returned without the filter
 * @param saw called with each page
 * @returns whether every row was returned
 */
async function sweepArchived<Row extends { readonly id: number }>(
  account: string,
  list: KeysetList<Row>,
  live: ReadonlySet<number>,
  saw: (step: Step<Row>) => void,
): Promise<boolean> {
  let sawAll = true;
  for await (const step of readBy(list, 'created_on', { ...WHOLE, archived: true })) {
    const rows = step.page.rows.map((row) => (live.has(row.id) ? row : list.shownAsArchived(row)));
    const window = windowOf(account, `archived-${list.collection}`, { ...step, cursor: null });
    await list.record({ ...step.page, rows }, window);
    saw(step);
    sawAll &&= step.finding !== 'unstable';
    if (rows.every(({ id }) => live.has(id)) && step.page.count <= live.size) break;
  }
  return sawAll;
}

/**
 * Raises an alert if a list does not return all rows that it counts: it returns none, or different ones each time. The
 * alert ends when a read gets all rows.
 * @param last the last step of a read; null: none
 */
async function noteShort(
  context: Pick<AccountRecords, 'account' | 'store'>,
  collection: string,
  last: Step<unknown> | null,
): Promise<void> {
  const hidesRows = last !== null && last.page.raw.length === 0 && last.page.count > 0;
  const isShort = hidesRows || last?.finding === 'unstable';
  const causes = isShort ? [cause('list-short', { collection, count: last.page.count })] : [];
  await setAlert(context, `read:rows-of-${collection}`, causes);
}
