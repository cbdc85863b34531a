import { earlier, minusMs } from '../domain/instant.ts';
import type { AccountRecords } from './context.ts';
import { capabilitiesNow } from './erp-capabilities.ts';
import type { ErpCollection } from './erp-shadow.ts';

/**
 * Rows may become visible later than their time says, so reads of changes reach back. Not every read of a fast poll
 * does: if a list needs a call for each row, that would be most of the calls.
 */

/** How far a read for late rows goes back at least. */
const LEAST_REACH_MS = 60_000;
/** The shortest time between two reads for late rows. */
const EVERY_MS = 15_000;
/** Fact per list: the time of the last read for late rows, by the ERP's clock and by ours. */
const LATE = 'late-rows:';

interface LateRead {
  readonly asOf: string;
  readonly atMs: number;
}

/**
 * Returns where a read of changes begins. A read for late rows begins before the last such read, by the duration of the
 * ERP's longest transaction. So it misses no row, however rare such reads are.
 * @param cursor the ERP's time at the last read
 * @returns `from` null: from the start; `isLate`: this read looks for late rows
 */
export async function reachOf(context: AccountRecords, collection: ErpCollection, cursor: string | null) {
  if (cursor === null) return { from: null, isLate: true };
  const last = await lastOf(context, collection);
  if (last !== null && isRecent(context.now() - last.atMs) && context.config.erp.pollMs < EVERY_MS) {
    return { from: cursor, isLate: false };
  }
  return { from: minusMs(last === null ? cursor : earlier(last.asOf, cursor), await lateByMs(context)), isLate: true };
}

/** How late a row may become visible after its time. */
export async function lateByMs(context: AccountRecords): Promise<number> {
  return Math.max(LEAST_REACH_MS, (await capabilitiesNow(context)).longestTransactionMs);
}

/** @param asOf the ERP's time at the start of a complete read for late rows */
export async function reachedBack(
  { account, store, now }: AccountRecords,
  list: ErpCollection,
  asOf: string,
): Promise<void> {
  await store.facts.set(account, LATE + list, JSON.stringify({ asOf, atMs: now() } satisfies LateRead));
}

/** If the clock was set back, the next read is not delayed. */
function isRecent(agoMs: number): boolean {
  return agoMs >= 0 && agoMs < EVERY_MS;
}

async function lastOf({ account, store }: AccountRecords, list: ErpCollection): Promise<LateRead | null> {
  const known = await store.facts.get(account, LATE + list);
  return known === null ? null : (JSON.parse(known) as LateRead);
}
