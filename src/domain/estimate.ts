import { ageText } from './age.ts';

/** Items left at a time, in milliseconds of a monotonic clock. */
export interface Remaining {
  readonly atMs: number;
  readonly count: number;
}

/** `isLeast`: a lower bound given by the quota, because the pace is not known yet. */
export interface Estimate {
  readonly ms: number;
  readonly isLeast: boolean;
}

const MINUTE_MS = 60_000;
const PACE_MS = MINUTE_MS;
/** The pace counts as known after this much time and this many finished items. */
const LEAST_SEEN_MS = 3_000;
const LEAST_DONE = 5;

/** Keeps the last minute, with at most one sample a second. */
export function withRemaining(seen: readonly Remaining[], now: Remaining): Remaining[] {
  const kept = seen.filter(({ atMs }) => now.atMs - atMs <= PACE_MS);
  const last = kept.at(-1);
  const before = kept.at(-2);
  // The newest sample replaces a previous one of the same second.
  const isSoon = last !== undefined && before !== undefined && last.atMs - before.atMs < 1_000;
  return [...(isSoon ? kept.slice(0, -1) : kept), now];
}

/**
 * Estimates the time until nothing is left. With a quota: a lower bound of one call per item, because new items that
 * follow from finished ones hide the pace. Without: by the pace of the last minute. null: nothing is left, or the pace
 * is unknown.
 * @param seen oldest first; the last sample is the current one
 * @param perMinute allowed calls; null: no calls are made
 */
export function estimateOf(seen: readonly Remaining[], perMinute: number | null): Estimate | null {
  const [first] = seen;
  const now = seen.at(-1);
  if (first === undefined || now === undefined || now.count <= 0) return null;
  if (perMinute !== null) {
    const leastMs = (now.count / perMinute) * MINUTE_MS;
    return leastMs < MINUTE_MS ? null : { ms: leastMs, isLeast: true };
  }
  const tookMs = now.atMs - first.atMs;
  const done = first.count - now.count;
  if (tookMs >= LEAST_SEEN_MS && done >= LEAST_DONE) return { ms: (now.count * tookMs) / done, isLeast: false };
  return null;
}

/** `about 3 min`, `at least 12 min`, `less than a minute`. */
export function estimateText({ ms, isLeast }: Estimate): string {
  if (!isLeast && ms < MINUTE_MS) return 'less than a minute';
  const rounded = Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
  return `${isLeast ? 'at least' : 'about'} ${ageText(rounded)}`;
}
