import type { Cause } from '../../domain/causes/cause.ts';
import type { MetLock } from '../../domain/failure.ts';

/**
 * A lock counts as lasting after this many refusals: about ten minutes with the waits between them, not counting time
 * in which the daemon is stopped.
 */
export const LASTING = 32;

const LONGER_BY = 1.1;
const LONGEST_MS = 60_000;

/** Counts a refusal by a lock. After any other failure, it is a new lock. */
export function lockMet(heldFor: readonly Cause[], nowMs: number): MetLock {
  const tried = heldFor.find(({ code }) => code === 'tried-again') as Tried | undefined;
  const before = tried?.params.lock ?? { since: `${new Date(nowMs).toISOString().slice(0, 19)}Z`, refusals: 0 };
  return { ...before, refusals: before.refusals + 1 };
}

type Tried = Extract<Cause, { readonly code: 'tried-again' }>;

/** The wait before the next attempt, growing from `firstMs` so that locked writes leave capacity to others. */
export function waitForLockMs(firstMs: number, { refusals }: MetLock): number {
  return Math.min(LONGEST_MS, Math.round(firstMs * LONGER_BY ** (refusals - 1)));
}
