import { earlier, minusMs } from '../domain/instant.ts';
import type { Known } from './context.ts';
import { capabilitiesNow } from './erp-capabilities.ts';
import type { ErpCollection } from './erp-shadow.ts';

/**
 * Rows that become visible later than they say. A read of changes reaches back for them, though not every one of a fast poll:
 * where a list takes a call for each row, that would be most of the calls.
 */

/** The least that a read which looks for late rows goes back. */
const LEAST_REACH_MS = 60_000;
/** Late rows are looked for this often at most. */
const EVERY_MS = 15_000;
/** Fact per list: the ERP's clock at the last read that looked for late rows, and when that was here. */
const LATE = 'late-rows:';

interface LateRead {
  readonly asOf: string;
  readonly atMs: number;
}

interface Reach {
  /** null: from the start. */
  readonly from: string | null;
  /** It looks for late rows. */
  readonly isLate: boolean;
}

/**
 * Where a read of changes begins. It looks for late rows from so long before the last such read as the ERP's longest
 * transaction takes, so however rarely it does, it misses none.
 * @param cursor the ERP's clock at the last read
 */
export async function reachOf(context: Known, collection: ErpCollection, cursor: string | null): Promise<Reach> {
  if (cursor === null) return { from: null, isLate: true };
  const last = await lastOf(context, collection);
  if (last !== null && isRecent(context.now() - last.atMs) && context.config.erp.pollMs < EVERY_MS) {
    return { from: cursor, isLate: false };
  }
  const { longestTransactionMs } = await capabilitiesNow(context);
  const reachMs = Math.max(LEAST_REACH_MS, longestTransactionMs);
  return { from: minusMs(last === null ? cursor : earlier(last.asOf, cursor), reachMs), isLate: true };
}

/** @param asOf the ERP's clock at the start of a complete read that looked for late rows */
export async function reachedBack({ account, store, now }: Known, list: ErpCollection, asOf: string): Promise<void> {
  await store.facts.set(account, LATE + list, JSON.stringify({ asOf, atMs: now() } satisfies LateRead));
}

/** A clock that was set back does not put the next one off. */
function isRecent(agoMs: number): boolean {
  return agoMs >= 0 && agoMs < EVERY_MS;
}

async function lastOf({ account, store }: Known, list: ErpCollection): Promise<LateRead | null> {
  const known = await store.facts.get(account, LATE + list);
  return known === null ? null : (JSON.parse(known) as LateRead);
}
