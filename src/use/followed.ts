/** A row may be committed this long after one with a higher id, since several daemons write at once. */
const LATE_MS = 5_000;

/** Follows a table by id. Each row is new once, even if it is committed late. */
interface Followed {
  /** Where to read again. No row up to this id is missing. */
  readFromId(): number;
  isNew(id: number): boolean;
}

/** How many newest rows must be known, so that no late commit among them is missed. */
export const KNOWN_ROWS = 1_000;

interface Row {
  readonly id: number;
  /** Epoch milliseconds on the writer's clock. */
  readonly atMs: number;
}

/** @param known the newest rows, which are not new */
export function createFollowed(known: readonly Row[]): Followed {
  let wholeToId = settledTo(known);
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

/** No row up to this id can come late, since they are older than the newest by LATE_MS. */
function settledTo(known: readonly Row[]): number {
  const newestMs = known.reduce((most, { atMs }) => Math.max(most, atMs), Number.NEGATIVE_INFINITY);
  const settled = known.filter(({ atMs }) => atMs <= newestMs - LATE_MS).map(({ id }) => id);
  const least = known.reduce((first, { id }) => Math.min(first, id), Number.POSITIVE_INFINITY);
  return known.length === 0 ? 0 : Math.max(least - 1, ...settled);
}
