import type { Quota } from './world.ts';

/**
 * A call that was given up and is longer on its way than this does not count any more (src/marketplace/governor-script.ts).
 */
const ON_ITS_WAY_MS = 500;

/** I7, judged at the marketplace's door: calls that arrive within any second, and within any minute. */
export function createQuotaLaw({ perSecond, perMinute }: Quota, broken: string[]) {
  let arrivals: { readonly sentAtMs: number; readonly atMs: number }[] = [];
  let forgottenMs = Number.NEGATIVE_INFINITY;

  return {
    arrived(sentAtMs: number, atMs: number): void {
      if (atMs - sentAtMs > ON_ITS_WAY_MS) return;
      arrivals = [...arrivals.filter((one) => one.atMs > atMs - 60_000), { sentAtMs, atMs }];
      const inSecond = arrivals.filter((one) => one.atMs > atMs - 1_000).length;
      if (inSecond > perSecond) broken.push(`I7: ${inSecond} calls within a second`);
      const inMinute = arrivals.filter((one) => one.sentAtMs >= forgottenMs).length;
      if (inMinute > perMinute) broken.push(`I7: ${inMinute} calls within a minute`);
    },
    /**
     * Redis and the process that made the calls are gone. So earlier calls in the minute cannot be known. Calls in the second
     * are known.
     */
    forgetMinute(beforeMs: number): void {
      forgottenMs = Math.max(forgottenMs, beforeMs);
    },
  };
}
