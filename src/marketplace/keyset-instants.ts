import { earlier, isBefore, later, minusMs } from '../domain/instant.ts';

const HAS_ZONE = /T.*(Z|[+-]\d\d:?\d\d)$/;

/**
 * Where the next reading begins: `overlapMs` before the cursor, for rows that become visible late. An overlap of a page or more would
 * be read over and over, so it ends early, at `nthNewest`: the `modified` of the row that is a little less than a page from
 * the newest one known. null takes the whole overlap, which is due now and then. Never after the cursor; null is the beginning.
 */
export function overlapStart(cursor: string | null, overlapMs: number, nthNewest: string | null): string | null {
  if (cursor === null) return null;
  const moved = minusMs(cursor, overlapMs);
  // A server that names no zone means its own: it is asked in its own terms.
  const whole = HAS_ZONE.test(cursor) ? moved : moved.replace(/Z$/, '');
  if (nthNewest === null || !isBefore(whole, nthNewest)) return whole;
  return isBefore(nthNewest, cursor) ? nthNewest : cursor;
}

/** The later of two instants, as the server wrote it; null is before all. */
export function laterOf(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : later(a, b);
}

/** The earlier of two instants, as the server wrote it; null is before all. */
export function earlierOf(a: string | null, b: string | null): string | null {
  return a === null || b === null ? null : earlier(a, b);
}
