import type { Cause } from '../../domain/causes/cause.ts';
import type { MetLock } from '../../domain/failure.ts';

/** A lock lasts after so many refusals, which is about ten minutes with the waits between them. A stop of the daemon adds none. */
export const LASTING = 32;

const LONGER_BY = 1.1;
const LONGEST_MS = 60_000;

/** The lock of a key that has just met one. After a failure of another kind, it is a new lock. */
export function lockMet(heldFor: readonly Cause[], nowMs: number): MetLock {
  const tried = heldFor.find(({ code }) => code === 'tried-again') as Tried | undefined;
  const before = tried?.params.lock ?? { since: `${new Date(nowMs).toISOString().slice(0, 19)}Z`, refusals: 0 };
  return { ...before, refusals: before.refusals + 1 };
}

type Tried = Extract<Cause, { readonly code: 'tried-again' }>;

/** The wait before the next try, from the wait after the first one. It grows, so that locked writes leave the ERP to others. */
export function waitForLockMs(firstMs: number, { refusals }: MetLock): number {
  return Math.min(LONGEST_MS, Math.round(firstMs * LONGER_BY ** (refusals - 1)));
}
