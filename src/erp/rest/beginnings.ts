import { isBefore, minusMs } from '../../domain/instant.ts';

/** So much at most is taken for the jitter of a clock that shows seconds. What differs more is a clock that was set back. */
const JITTER_MS = 2_000;

/**
 * When calls began, by the ERP's clock. The header Date is of the end of an answer, and cut to a second, so the time less how
 * long the call took is not later than its beginning. Neither is any such time of a call that began before it: so the times
 * of calls in turn do not go back.
 * @returns of one call: its beginning and end on this machine's steady clock, and what the ERP said of its end
 */
export function createBeginnings(): (beganMs: number, endedMs: number, servedAt: string) => string {
  let latest: { readonly beganMs: number; readonly at: string } | null = null;
  return (beganMs, endedMs, servedAt) => {
    const own = minusMs(servedAt, endedMs - beganMs);
    const known = latest;
    const isJitter =
      known !== null &&
      known.beganMs <= beganMs &&
      isBefore(own, known.at) &&
      isBefore(minusMs(known.at, JITTER_MS), own);
    const at = isJitter ? known.at : own;
    if (known === null || known.beganMs <= beganMs) latest = { beganMs, at };
    return at;
  };
}
