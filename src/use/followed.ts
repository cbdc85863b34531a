/**
 * So long after a row with a higher id, one may still come: the daemons that share a database take ids and commit side by side.
 */
const LATE_MS = 5_000;

/** The rows of a table that somebody follows by their ids: each is new once, also one that is committed late. */
export interface Followed {
  /** After this one the table is read again: nothing is missing up to it. */
  readFromId(): number;
  isNew(id: number): boolean;
}

/** As many of the newest rows as have to be known, so that one which is committed late beside them is not missed. */
export const KNOWN_ROWS = 1_000;

interface Row {
  readonly id: number;
  /** Epoch milliseconds, by the clock of whoever wrote it. */
  readonly atMs: number;
}

/** @param known the newest rows; none of them is new */
export function createFollowed(known: readonly Row[]): Followed {
  let wholeToId = settledTo(known);
  /** Those after it, and when each was seen. */
  const seenMs = new Map(known.filter(({ id }) => id > wholeToId).map(({ id }) => [id, performance.now()] as const));
  return {
    readFromId() {
      for (const [id, atMs] of [...seenMs].toSorted(([a], [b]) => a - b)) {
        if (id !== wholeToId + 1 && performance.now() - atMs < LATE_MS) break;
        wholeToId = id;
        seenMs.delete(id);
      }
      return wholeToId;
    },
    isNew(id) {
      if (seenMs.has(id)) return false;
      seenMs.set(id, performance.now());
      return true;
    },
  };
}

/** Beside rows that are so much older than the newest one, none comes any more. */
function settledTo(known: readonly Row[]): number {
  const newestMs = known.reduce((most, { atMs }) => Math.max(most, atMs), Number.NEGATIVE_INFINITY);
  const settled = known.filter(({ atMs }) => atMs <= newestMs - LATE_MS).map(({ id }) => id);
  const least = known.reduce((first, { id }) => Math.min(first, id), Number.POSITIVE_INFINITY);
  return known.length === 0 ? 0 : Math.max(least - 1, ...settled);
}
