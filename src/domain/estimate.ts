import { ageText } from './age.ts';

/** The number of items that were left at a time. The time is in milliseconds of any clock that only goes forward. */
export interface Left {
  readonly atMs: number;
  readonly count: number;
}

/** The time until nothing is left. `isLeast`: the pace is not known yet, and this is the least time that the quota allows. */
export interface Estimate {
  readonly ms: number;
  readonly isLeast: boolean;
}

const MINUTE_MS = 60_000;
/** The pace is measured over the last minute. */
const PACE_MS = MINUTE_MS;
/** The pace is not known before this much time and this many finished items were seen. */
const LEAST_SEEN_MS = 3_000;
const LEAST_DONE = 5;

/** Adds a look to `seen`, and keeps the last minute with at most one look a second. */
export function withLeft(seen: readonly Left[], now: Left): Left[] {
  const kept = seen.filter(({ atMs }) => now.atMs - atMs <= PACE_MS);
  const last = kept.at(-1);
  const before = kept.at(-2);
  // The newest look is always kept. A look replaces the previous one when both came within a second.
  const isSoon = last !== undefined && before !== undefined && last.atMs - before.atMs < 1_000;
  return [...(isSoon ? kept.slice(0, -1) : kept), now];
}

/**
 * The least time until nothing is left, by the quota: each item takes at least one call. Without a quota, the time by the pace of
 * the last minute. The pace of calls is not used: items that follow from finished ones hide how many were finished.
 * null: nothing is left, or the time cannot be estimated.
 * @param seen oldest first; the last look is the present
 * @param perMinute calls that are allowed; null: no calls are made
 */
export function estimateOf(seen: readonly Left[], perMinute: number | null): Estimate | null {
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
