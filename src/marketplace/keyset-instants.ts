import { earlier, isBefore, later, minusMs } from '../domain/instant.ts';

const HAS_ZONE = /T.*(Z|[+-]\d\d:?\d\d)$/;

/**
 * Returns the start of the next read: `overlapMs` before the cursor, for rows that became visible late. An overlap of
 * more than a page would be reread each time, so it is cut at `nthNewest`, the `modified` of the known row almost a
 * page from the newest (null: not cut, for an occasional read). Never after the cursor. null: the beginning of the
 * list.
 */
export function overlapStart(cursor: string | null, overlapMs: number, nthNewest: string | null): string | null {
  if (cursor === null) return null;
  const moved = minusMs(cursor, overlapMs);
  // A server without zones means its own zone, so the request has none either.
  const overlapped = HAS_ZONE.test(cursor) ? moved : moved.replace(/Z$/, '');
  if (nthNewest === null || !isBefore(overlapped, nthNewest)) return overlapped;
  return isBefore(nthNewest, cursor) ? nthNewest : cursor;
}

/** The later instant, as the server wrote it; null is before all. */
export function laterOf(a: string | null, b: string | null): string | null {
  return a === null || b === null ? (a ?? b) : later(a, b);
}

/** The earlier instant, as the server wrote it; null is before all. */
export function earlierOf(a: string | null, b: string | null): string | null {
  return a === null || b === null ? null : earlier(a, b);
}
