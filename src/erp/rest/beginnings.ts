import { isBefore, minusMs } from '../../domain/instant.ts';

/** The jitter of a clock with whole seconds. A larger difference means that the clock was set back. */
const JITTER_MS = 2_000;

/**
 * Computes when a call began on the ERP's clock. The header Date is the end of the answer, cut to a second, so Date
 * minus the call's duration is not too late. Of this and what earlier calls give, the later counts, so that successive
 * times never go back.
 * @returns a function of a call's start and end on a steady clock, and the ERP's Date
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
