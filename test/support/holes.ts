export interface WindowRow {
  readonly collection: string;
  readonly fromInstant: string | null;
  readonly toInstant: string | null;
}

/** The windows that were read, on either engine. */
export const WINDOWS = `SELECT collection, from_instant AS "fromInstant", to_instant AS "toInstant"
  FROM coverage ORDER BY account, collection, from_instant`;

/** A collection that begins where it is told to. */
const BEGINS_LATER = new Set(['payments']);

/** What no completed read has covered, as a database tells it: windows that touch are one there, so one that follows another stands apart. */
export function holesOnRecord(database: {
  prepare<Values extends unknown[], Row>(statement: string): { all(...values: Values): Row[] };
}): string[] {
  return holesIn(database.prepare<[], WindowRow>(WINDOWS).all());
}

/** @param windows as `WINDOWS` asks for them */
export function holesIn(windows: readonly WindowRow[]): string[] {
  return windows.flatMap(({ collection, fromInstant }, index) => {
    const before = windows[index - 1];
    if (before?.collection === collection)
      return [`${collection} was not read from ${before.toInstant ?? 'the beginning'} to ${fromInstant}`];
    const isBeginning = fromInstant === null || BEGINS_LATER.has(collection);
    return isBeginning ? [] : [`${collection} was not read before ${fromInstant}`];
  });
}
