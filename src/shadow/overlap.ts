import { earlierOf, overlapStart } from '../marketplace/keyset-instants.ts';
import type { AccountRecords } from './context.ts';

/** Collections read by `modified`. Each read begins before the cursor, because rows may become visible late. */
export type Overlapping = 'orders' | 'products' | 'customers';

/** The overlap is free while it fits on a page. With more rows, only a deep read reaches back. */
const FREE_ROWS = 450;

/** The last read of the full overlap. Stored as a fact per collection, to survive a restart. */
interface DeepRead {
  /** Epoch milliseconds of its start. */
  readonly atMs: number;
  readonly cursor: string | null;
  /** When the first deep read of this cursor began. */
  readonly cursorSinceMs: number;
}

/**
 * The overlap of a read: as many rows as are free. Every half overlap, a deep read covers all of it, at a call per 500
 * rows. It begins one overlap before the previous deep read's cursor, because rows that became visible since then
 * changed no earlier. A deep read one overlap after the cursor stopped moving has read every late row, and no other
 * follows until something changes. So each change is read again at most about five times.
 */
export async function beginOverlap(context: AccountRecords, collection: Overlapping, cursor: string | null) {
  const { account, config, store, now } = context;
  const { overlapMs } = config.marketplace.poll;
  const beganMs = now();
  const last = await lastDeepRead(context, collection);
  const isDeep = isDeepDue(last, { cursor, beganMs, overlapMs });
  // A cursor that was moved back lies before that of the last deep read.
  const before = isDeep ? earlierOf(last?.cursor ?? cursor, cursor) : cursor;
  const nth = isDeep ? null : await store[collection].nthNewestModified(account, FREE_ROWS);
  return {
    /** null: from the beginning. */
    start: overlapStart(before, overlapMs, nth),
    /** Called after everything from the start on was read. */
    wasRead: async () => {
      if (isDeep) await readWhole(context, collection, { cursor, beganMs });
    },
  };
}

/** Records that the read of that start has covered everything that may become visible late. */
export async function readWhole(
  context: AccountRecords,
  collection: Overlapping,
  { cursor, beganMs }: { readonly cursor: string | null; readonly beganMs: number },
): Promise<void> {
  const last = await lastDeepRead(context, collection);
  // If the clock was set back, this time may lie in the future.
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
  // If the clock was set back, the difference is no elapsed time.
  return !sawAll && Math.abs(beganMs - last.atMs) >= overlapMs / 2;
}

function factOf(collection: Overlapping): string {
  return `${collection}-deep-read`;
}
