/**
 * A row may still come this long after a row with a higher id: the daemons that share a database take ids and commit side by side.
 */
const LATE_MS = 5_000;

/** The rows of a table that somebody follows by their ids. Each row is new once, even if it is committed late. */
interface Followed {
  /** The id after which the table is read again. No row up to this id is missing. */
  readFromId(): number;
  isNew(id: number): boolean;
}

/** The number of newest rows that have to be known. A row that is committed late among them is then not missed. */
export const KNOWN_ROWS = 1_000;

interface Row {
  readonly id: number;
  /** Epoch milliseconds, by the clock of the process that wrote the row. */
  readonly atMs: number;
}

/** @param known the newest rows; none of them is new */
export function createFollowed(known: readonly Row[]): Followed {
  let wholeToId = settledTo(known);
  /** The ids after `wholeToId` that were seen, each with the time when it was seen. */
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

/** The id up to which no row can come late any more: its rows are older than the newest one by LATE_MS. */
function settledTo(known: readonly Row[]): number {
  const newestMs = known.reduce((most, { atMs }) => Math.max(most, atMs), Number.NEGATIVE_INFINITY);
  const settled = known.filter(({ atMs }) => atMs <= newestMs - LATE_MS).map(({ id }) => id);
  const least = known.reduce((first, { id }) => Math.min(first, id), Number.POSITIVE_INFINITY);
  return known.length === 0 ? 0 : Math.max(least - 1, ...settled);
}
