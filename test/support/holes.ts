export interface WindowRow {
  readonly collection: string;
  readonly fromInstant: string | null;
  readonly toInstant: string | null;
}

/** The query for the windows that were read, on either engine. */
export const WINDOWS = `SELECT collection, from_instant AS "fromInstant", to_instant AS "toInstant"
  FROM coverage ORDER BY account, collection, from_instant`;

/** Collections whose first read begins at a chosen instant. */
const BEGINS_LATER = new Set(['payments']);

/**
 * The times that no completed read has covered, by the database. It merges windows that touch, so there is a hole between two
 * windows.
 */
export function holesOnRecord(database: {
  prepare<Values extends unknown[], Row>(statement: string): { all(...values: Values): Row[] };
}): string[] {
  return holesIn(database.prepare<[], WindowRow>(WINDOWS).all());
}

/** @param windows the rows of the query `WINDOWS` */
export function holesIn(windows: readonly WindowRow[]): string[] {
  return windows.flatMap(({ collection, fromInstant }, index) => {
    const before = windows[index - 1];
    if (before?.collection === collection)
      return [`${collection} was not read from ${before.toInstant ?? 'the beginning'} to ${fromInstant}`];
    const isBeginning = fromInstant === null || BEGINS_LATER.has(collection);
    return isBeginning ? [] : [`${collection} was not read before ${fromInstant}`];
  });
}
