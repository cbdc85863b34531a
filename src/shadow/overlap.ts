import { earlierOf, overlapStart } from '../marketplace/keyset-instants.ts';
import type { Known } from './context.ts';

/**
 * The collections that are read by `modified`. Each read begins some time before the cursor, because rows may become visible
 * late.
 */
export type Overlapping = 'orders' | 'products' | 'customers';

/** The overlap is free while it holds less than a page: beyond this many rows only a deep read reaches back. */
const FREE_ROWS = 450;

/** When the whole overlap was read last: kept as a fact of each collection, so that it outlives a restart. */
interface DeepRead {
  /** When that read began, in epoch milliseconds. */
  readonly atMs: number;
  readonly cursor: string | null;
  /** When the first deep read of this very cursor began. */
  readonly cursorSinceMs: number;
}

/** Where reading changes begins. */
interface Overlap {
  /** null: at the beginning. */
  readonly start: string | null;
  /** To be called once everything from there on was read. */
  wasRead(): Promise<void>;
}

/**
 * The overlap as far as it is free; every half overlap the whole of it, which takes a call for each 500 rows. A deep read
 * begins an overlap before the cursor of the deep read before it: a row that became visible since then changed no earlier,
 * however far the cursor has moved. Once a deep read began an overlap after the cursor had come to rest, every row that may
 * become visible late was read, and no deep read follows before something changes. So no change is read again more than some
 * five times, however many there were.
 */
export async function beginOverlap(context: Known, collection: Overlapping, cursor: string | null): Promise<Overlap> {
  const { account, config, store, now } = context;
  const { overlapMs } = config.marketplace.poll;
  const beganMs = now();
  const last = await lastDeepRead(context, collection);
  const isDeep = isDeepDue(last, { cursor, beganMs, overlapMs });
  // A cursor that was moved back lies before the cursor of the last deep read.
  const before = isDeep ? earlierOf(last?.cursor ?? cursor, cursor) : cursor;
  const nth = isDeep ? null : await store[collection].nthNewestModified(account, FREE_ROWS);
  return {
    start: overlapStart(before, overlapMs, nth),
    wasRead: async () => {
      if (isDeep) await readWhole(context, collection, { cursor, beganMs });
    },
  };
}

/** All that may become visible late was read by a read that began then. */
export async function readWhole(
  context: Known,
  collection: Overlapping,
  { cursor, beganMs }: { readonly cursor: string | null; readonly beganMs: number },
): Promise<void> {
  const last = await lastDeepRead(context, collection);
  // After the clock was set back, this may lie in the future.
  const cursorSinceMs = last !== null && last.cursor === cursor ? Math.min(last.cursorSinceMs, beganMs) : beganMs;
  const read: DeepRead = { atMs: beganMs, cursor, cursorSinceMs };
  await context.store.facts.set(context.account, factOf(collection), JSON.stringify(read));
}

async function lastDeepRead({ account, store }: Known, collection: Overlapping): Promise<DeepRead | null> {
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
