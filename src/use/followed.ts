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

/** @param afterId the last one that is known already */
export function createFollowed(afterId: number): Followed {
  let wholeToId = afterId;
  /** Those after it, and when each was seen. */
  const seenMs = new Map<number, number>();
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
