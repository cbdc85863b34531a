import { isBefore, minusMs } from '../../domain/instant.ts';

/** A difference up to this is jitter of a clock that shows whole seconds. A larger one means that the clock was set back. */
const JITTER_MS = 2_000;

/**
 * Computes when calls began, by the ERP's clock. The header Date tells the end of an answer, cut to a second. So Date less the
 * length of the call is not later than the beginning of the call. The same holds for the computed beginning of every earlier
 * call, so the later of the two counts, and the times of successive calls do not go back.
 * @returns a function of the beginning and the end of one call on this machine's steady clock, and of the ERP's header Date
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
