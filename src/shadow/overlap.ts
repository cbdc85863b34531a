import { earlierOf, overlapStart } from '../marketplace/keyset-instants.ts';
import type { AccountRecords } from './context.ts';

/**
 * The collections that are read by `modified`. Each read begins some time before the cursor, because rows may become visible
 * late.
 */
export type Overlapping = 'orders' | 'products' | 'customers';

/** The overlap costs nothing while it holds less than a page. With more rows than this, only a deep read reaches back. */
const FREE_ROWS = 450;

/** The last read of the whole overlap. It is a fact of each collection, so it outlives a restart. */
interface DeepRead {
  /** When that read began, in epoch milliseconds. */
  readonly atMs: number;
  readonly cursor: string | null;
  /** When the first deep read of this very cursor began. */
  readonly cursorSinceMs: number;
}

/**
 * The overlap of a read: as much as costs nothing. Each half overlap, a deep read reads the whole of it, with a call for each
 * 500 rows. A deep read begins an overlap before the cursor of the previous deep read. A row that became visible since then
 * changed no earlier, even if the cursor has moved far. When a deep read begins an overlap after the cursor has come to rest,
 * every row that may become visible late has been read. Then no deep read follows before something changes. So each change is
 * read again about five times at most.
 */
export async function beginOverlap(context: AccountRecords, collection: Overlapping, cursor: string | null) {
  const { account, config, store, now } = context;
  const { overlapMs } = config.marketplace.poll;
  const beganMs = now();
  const last = await lastDeepRead(context, collection);
  const isDeep = isDeepDue(last, { cursor, beganMs, overlapMs });
  // A cursor that was moved back lies before the cursor of the last deep read.
  const before = isDeep ? earlierOf(last?.cursor ?? cursor, cursor) : cursor;
  const nth = isDeep ? null : await store[collection].nthNewestModified(account, FREE_ROWS);
  return {
    /** null: at the beginning. */
    start: overlapStart(before, overlapMs, nth),
    /** To be called once everything from the start on was read. */
    wasRead: async () => {
      if (isDeep) await readWhole(context, collection, { cursor, beganMs });
    },
  };
}

/** Puts on record that a read that began then has read everything that may become visible late. */
export async function readWhole(
  context: AccountRecords,
  collection: Overlapping,
  { cursor, beganMs }: { readonly cursor: string | null; readonly beganMs: number },
): Promise<void> {
  const last = await lastDeepRead(context, collection);
  // After the clock was set back, this time may lie in the future.
  const cursorSinceMs = last !== null && last.cursor === cursor ? Math.min(last.cursorSinceMs, beganMs) : beganMs;
  const read: DeepRead = { atMs: beganMs, cursor, cursorSinceMs };
  await context.store.facts.set(context.account, factOf(collection), JSON.stringify(read));
}

async function lastDeepRead({ account, store }: AccountRecords, collection: Overlapping): Promise<DeepRead | null> {
  const fact = await store.facts.get(account, factOf(collection));
  return fact === null ? null : (JSON.parse(fact) as DeepRead);
}

function isDeepDue(
  last: DeepRead | null,
  { cursor, beganMs, overlapMs }: { cursor: string | null; beganMs: number; overlapMs: number },
): boolean {
  if (last === null) return true;
  const sawAll = last.cursor === cursor && last.atMs - last.cursorSinceMs >= overlapMs;
  // After the clock was set back, the difference is no elapsed time.
  return !sawAll && Math.abs(beganMs - last.atMs) >= overlapMs / 2;
}

function factOf(collection: Overlapping): string {
  return `${collection}-deep-read`;
}
