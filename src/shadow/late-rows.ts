import { earlier, minusMs } from '../domain/instant.ts';
import type { AccountRecords } from './context.ts';
import { capabilitiesNow } from './erp-capabilities.ts';
import type { ErpCollection } from './erp-shadow.ts';

/**
 * Rows that become visible later than their time says. A read of changes reaches back for them. Not every read of a fast poll
 * does: where a list takes a call for each row, that would be most of the calls.
 */

/** A read that looks for late rows goes back at least this far. */
const LEAST_REACH_MS = 60_000;
/** The shortest time between two reads that look for late rows. */
const EVERY_MS = 15_000;
/** Fact per list: the time of the last read that looked for late rows, by the ERP's clock and by our own. */
const LATE = 'late-rows:';

interface LateRead {
  readonly asOf: string;
  readonly atMs: number;
}

/**
 * The start of a read of changes. A read that looks for late rows begins earlier than the last such read, by the duration of
 * the ERP's longest transaction. So it misses no row, even if such reads are rare.
 * @param cursor the ERP's clock at the last read
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

/** How late a row may become visible, after the time that it says. */
export async function lateByMs(context: AccountRecords): Promise<number> {
  return Math.max(LEAST_REACH_MS, (await capabilitiesNow(context)).longestTransactionMs);
}

/** @param asOf the ERP's clock at the start of a complete read that looked for late rows */
export async function reachedBack(
  { account, store, now }: AccountRecords,
  list: ErpCollection,
  asOf: string,
): Promise<void> {
  await store.facts.set(account, LATE + list, JSON.stringify({ asOf, atMs: now() } satisfies LateRead));
}

/** A clock that was set back does not delay the next read. */
function isRecent(agoMs: number): boolean {
  return agoMs >= 0 && agoMs < EVERY_MS;
}

async function lastOf({ account, store }: AccountRecords, list: ErpCollection): Promise<LateRead | null> {
  const known = await store.facts.get(account, LATE + list);
  return known === null ? null : (JSON.parse(known) as LateRead);
}
