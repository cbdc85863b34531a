import { ageText } from './age.ts';

/** How many were left at a time; milliseconds of any clock that only goes forward. */
export interface Left {
  readonly atMs: number;
  readonly count: number;
}

/** What is left now, and for how long; `isLeast`: nothing shows the pace yet, and the quota alone allows no less. */
export interface Estimate {
  readonly ms: number;
  readonly isLeast: boolean;
}

const MINUTE_MS = 60_000;
/** The pace is that of the last minute. */
const PACE_MS = MINUTE_MS;
/** Before so much is seen, nothing can be said of the pace. */
const LEAST_SEEN_MS = 3_000;
const LEAST_DONE = 5;

/** What `seen` becomes with one more look: the last minute of it, at most one look a second. */
export function withLeft(seen: readonly Left[], now: Left): Left[] {
  const kept = seen.filter(({ atMs }) => now.atMs - atMs <= PACE_MS);
  const last = kept.at(-1);
  const before = kept.at(-2);
  // The newest look is always the present; looks within a second of the one before replace each other.
  const isSoon = last !== undefined && before !== undefined && last.atMs - before.atMs < 1_000;
  return [...(isSoon ? kept.slice(0, -1) : kept), now];
}

/**
 * How long until nothing is left, by the pace of the last minute and by the quota: each that is left takes one call at least.
 * null: nothing is left, or nobody can say.
 * @param seen oldest first, the last of them now
 * @param perMinute calls that are allowed; null: no calls are made
 */
export function estimateOf(seen: readonly Left[], perMinute: number | null): Estimate | null {
  const [first] = seen;
  const now = seen.at(-1);
  if (first === undefined || now === undefined || now.count <= 0) return null;
  const leastMs = perMinute === null ? 0 : (now.count / perMinute) * MINUTE_MS;
  const tookMs = now.atMs - first.atMs;
  const done = first.count - now.count;
  if (tookMs >= LEAST_SEEN_MS && done >= LEAST_DONE)
    return { ms: Math.max((now.count * tookMs) / done, leastMs), isLeast: false };
  return leastMs < MINUTE_MS ? null : { ms: leastMs, isLeast: true };
}

/** `about 3 min`, `at least 12 min`, `less than a minute`. */
export function estimateText({ ms, isLeast }: Estimate): string {
  if (!isLeast && ms < MINUTE_MS) return 'less than a minute';
  const rounded = Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
  return `${isLeast ? 'at least' : 'about'} ${ageText(rounded)}`;
}
