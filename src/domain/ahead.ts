import { instantNs } from './instant.ts';

/** Allows for differing clocks of one side's servers, and for the transfer time. */
const TOLERANCE_NS = 60_000_000_000n;
/** A time without a zone is in the server's own zone, which is at most 14 hours ahead of UTC. */
const ZONES_NS = 14n * 3_600_000_000_000n;
const HAS_ZONE = /T.*(Z|[+-]\d\d:?\d\d)$/;

export function namesZone(text: string): boolean {
  return HAS_ZONE.test(text);
}

/**
 * Replaces a row's timestamp that lies in the future, because it does not say when the row changed. Dated 1970, this row
 * and the next answer about it are both accepted.
 */
export const UNDATED = '1970-01-01T00:00:00Z';

export interface Ahead {
  /** Number or id. */
  readonly row: string;
  readonly stamp: string;
}

/**
 * Returns whether this instant lies in the future of the side that sent it.
 * @param servedAt the side's clock when it answered
 * @param namesZones true if this side is known to write zones or UTC: a time without a zone is then UTC
 */
export function isAhead(text: string, servedAt: string, namesZones = false): boolean {
  const [ns, servedNs] = [instantNs(text), instantNs(servedAt)];
  if (ns === null || servedNs === null) return false;
  return ns > servedNs + TOLERANCE_NS + (namesZones || namesZone(text) ? 0n : ZONES_NS);
}

/** Our own clock may be wrong by this much. */
const DOUBT_MS = 60 * 60_000;

/** Returns whether a cursor lies in the future by this machine's clock. */
export function isCursorAhead(cursor: string, nowMs: number): boolean {
  return isAhead(cursor, new Date(nowMs + DOUBT_MS).toISOString());
}
