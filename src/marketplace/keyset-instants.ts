import { earlier, isBefore, later, minusMs } from '../domain/instant.ts';

const HAS_ZONE = /T.*(Z|[+-]\d\d:?\d\d)$/;

/**
 * The start of the next reading: `overlapMs` before the cursor, for rows that become visible late. An overlap of a page or more
 * would be read over and over, so it is cut at `nthNewest`: the `modified` of the known row that is a little less than a page away
 * from the newest. `nthNewest` null takes the whole overlap, which is due now and then. The start is never after the cursor.
 * null is the beginning of the list.
 */
export function overlapStart(cursor: string | null, overlapMs: number, nthNewest: string | null): string | null {
  if (cursor === null) return null;
  const moved = minusMs(cursor, overlapMs);
  // A server that names no zone means its own zone, so it is asked without a zone.
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
