import { instantNs } from './instant.ts';

/** The clocks of one side, and the way of its answer, differ by less than this. */
const TOLERANCE_NS = 60_000_000_000n;
/** A time without a zone is in the server's own zone, which is at most this far ahead of UTC. */
const ZONES_NS = 14n * 3_600_000_000_000n;
const HAS_ZONE = /T.*(Z|[+-]\d\d:?\d\d)$/;

export function namesZone(text: string): boolean {
  return HAS_ZONE.test(text);
}

/**
 * Replaces the stamp of a row when that stamp lies in the future. Such a stamp does not tell when the row changed. So the row is
 * believed, and the next row is believed too.
 */
export const UNDATED = '1970-01-01T00:00:00Z';

/** A row with a time that the clock of its own side has not reached yet. */
export interface Ahead {
  /** A name of the row: its number or id. */
  readonly row: string;
  readonly stamp: string;
}

/**
 * Does this instant lie in the future of the side that names it?
 * @param servedAt the side's clock when it answered
 * @param namesZones this side is known to name zones, or to tell UTC: a time without a zone is in UTC
 */
export function isAhead(text: string, servedAt: string, namesZones = false): boolean {
  const [ns, servedNs] = [instantNs(text), instantNs(servedAt)];
  if (ns === null || servedNs === null) return false;
  return ns > servedNs + TOLERANCE_NS + (namesZones || namesZone(text) ? 0n : ZONES_NS);
}

/** Our own clock may be wrong by this much. */
const DOUBT_MS = 60 * 60_000;

/** Does a cursor lie in the future, as far as the clock of this machine can tell? */
export function isCursorAhead(cursor: string, nowMs: number): boolean {
  return isAhead(cursor, new Date(nowMs + DOUBT_MS).toISOString());
}
