import type { Quota } from './world.ts';

/** On the way for longer than this, a call that was given up is not ours to count any more (src/marketplace/governor-script.ts). */
const ON_ITS_WAY_MS = 500;

/** I7, judged at the marketplace's door: calls that arrive within any second, and within any minute. */
export function createQuotaLaw({ perSecond, perMinute }: Quota, broken: string[]) {
  let arrivals: number[] = [];
  const within = (windowMs: number, atMs: number) => arrivals.filter((one) => one > atMs - windowMs).length;

  return {
    arrived(sentAtMs: number, atMs: number): void {
      if (atMs - sentAtMs > ON_ITS_WAY_MS) return;
      arrivals = [...arrivals.filter((one) => one > atMs - 60_000), atMs];
      if (within(1_000, atMs) > perSecond) broken.push(`I7: ${within(1_000, atMs)} calls within a second`);
      if (arrivals.length > perMinute) broken.push(`I7: ${arrivals.length} calls within a minute`);
    },
    /** Redis was emptied: nobody can know of the calls before. */
    forget(): void {
      arrivals = [];
    },
  };
}
