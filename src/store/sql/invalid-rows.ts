import { createHash } from 'node:crypto';
import type { Cause } from '../../domain/causes/cause.ts';
import type { FoundInvalidRow, InvalidRowStore, StoredInvalidRow } from '../reading.ts';
import { StoreError } from '../store-error.ts';
import type { Queryable, Readable } from './database.ts';
import { and, asc, eq, getTableColumns, gte, inArray, lt, or, sql } from './orm.ts';
import type { ReadAt, Reads, WriteAt, Writes } from './part.ts';
import { built, deleteBy, deleteWhere, matching, putInto, rowBy, rowsBy, rowsWhere, selecting } from './queries.ts';
import { invalidRows } from './tables/reading.ts';

/** With this many invalid rows, a list is unusable: its page is not stored, and its read fails. */
const MAX_KEPT = 10_000;
/** At that limit, invalid rows that no read has shown for this long are deleted, `ROOM` at a time. */
const STALE_MS = 60 * 60_000;
const ROOM = 1_000;
const MAX_TEXT = 2_000;

const countInvalidRows = built((db) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(invalidRows)
    .where(matching(invalidRows, 'account', 'collection'))
    .prepare(),
);

/** A longer name is cut: PostgreSQL could not index it. */
const MAX_NAME = 200;
const KEPT_OF_NAME = 120;

/** The stored name of an invalid row. A very long name is cut and stays unique. */
export function nameOfRow(what: string): string {
  // An invalid row may have no name.
  const name = String(what).toWellFormed();
  if (name.length <= MAX_NAME) return name;
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 16);
  return `${name.slice(0, KEPT_OF_NAME).toWellFormed()}… (${digest})`;
}

/**
 * Returns the stored name of the row.
 * @throws StoreError when too many rows of this collection are invalid
 */
export function saveInvalidRow(
  tx: Queryable,
  account: string,
  collection: string,
  found: FoundInvalidRow,
  nowMs: number,
): string {
  const what = nameOfRow(found.what);
  if (findInvalidRow(tx, { account, collection, what }) === undefined) {
    const count = countInvalidRows(tx).get({ account, collection })?.count ?? 0;
    if (count >= MAX_KEPT && !makeRoom(tx, account, collection, nowMs - STALE_MS)) {
      throw new StoreError(`more than ${MAX_KEPT} rows of ${collection} do not fit`);
    }
  }
  const [path, message] = [found.path, found.message].map((text) => text.slice(0, MAX_TEXT));
  const why = { path: path ?? '', message: message ?? '', cause: found.cause ?? null };
  putInvalidRow(tx, { account, collection, what, ...why, seenAtMs: nowMs });
  return what;
}

/** Sets aside a row that cannot be stored. Returns its stored name. */
export function saveUnstored(
  { tx, nowMs }: WriteAt,
  account: string,
  collection: string,
  what: string,
  problem: Cause,
): string {
  return saveInvalidRow(tx, account, collection, { what, path: '', message: '', cause: problem }, nowMs);
}

function makeRoom(tx: Queryable, account: string, collection: string, beforeMs: number): boolean {
  const { what, seenAtMs } = invalidRows;
  const isOf = and(eq(invalidRows.account, account), eq(invalidRows.collection, collection));
  const isStale = and(isOf, lt(seenAtMs, beforeMs));
  const stale = tx.select({ what }).from(invalidRows).where(isStale).orderBy(asc(seenAtMs)).limit(ROOM);
  return deleteWhere(tx, invalidRows, and(isOf, inArray(what, stale))) > 0;
}

export function dropInvalidRow(tx: Queryable, account: string, collection: string, what: string): boolean {
  return dropOne(tx, { account, collection, what: nameOfRow(what) }) > 0;
}

/** The same for the rows of a page. */
export function invalidRowsToDrop(tx: Queryable, account: string, collection: string): (what: string) => boolean {
  const isAny = isAnyInvalid(tx, account, collection);
  return (what) => isAny && dropInvalidRow(tx, account, collection, what);
}

/** Usually a list has no invalid row, which saves further questions. */
export const findAnyInvalid = rowsBy(invalidRows, ['account', 'collection'], { limit: 1 });
const isAnyInvalid = (db: Readable, account: string, collection: string) =>
  findAnyInvalid(db, { account, collection }).length > 0;

/** The invalid row of an entity, or of one of its parts, named `ID at PLACE`. */
export function invalidRowOfEntity(
  { db }: ReadAt,
  account: string,
  collection: string,
  id: string,
): StoredInvalidRow | null {
  if (!isAnyInvalid(db, account, collection)) return null;
  const rows = `${id} at `;
  return findOfEntity(db).get({ account, collection, id, rows, end: `${rows}\u{10ffff}` }) ?? null;
}

const findInvalidRow = rowBy(invalidRows, 'account', 'collection', 'what');

const putInvalidRow = putInto(invalidRows, 'account', 'collection', 'what');
const dropOne = deleteBy(invalidRows, 'account', 'collection', 'what');

const findOfEntity = selecting(getTableColumns(invalidRows), (db, fields) => {
  const { what } = invalidRows;
  const isRow = and(gte(what, sql.placeholder('rows')), lt(what, sql.placeholder('end')));
  const isOfIt = or(eq(what, sql.placeholder('id')), isRow);
  return db
    .select(fields)
    .from(invalidRows)
    .where(and(matching(invalidRows, 'account', 'collection'), isOfIt))
    .limit(1);
});

export const invalidRowReads = {
  get({ db }, account, collection, what) {
    if (!isAnyInvalid(db, account, collection)) return null;
    return findInvalidRow(db, { account, collection, what }) ?? null;
  },

  groups({ db }, account) {
    const { collection, what } = invalidRows;
    const rows = db
      .select({ collection, what: sql<string>`min(${what})`, count: sql<number>`count(*)` })
      .from(invalidRows)
      .where(eq(invalidRows.account, account))
      .groupBy(collection)
      .orderBy(asc(collection))
      .all();
    return rows.flatMap(({ collection: of, what: least, count }) => {
      const found = findInvalidRow(db, { account, collection: of, what: least });
      if (found === undefined) return [];
      return [{ collection: of, count, first: found }];
    });
  },

  list({ db }, account, after) {
    const { collection, what } = invalidRows;
    const isAfter =
      after === undefined ? undefined : sql`(${collection}, ${what}) > (${after.collection}, ${after.what})`;
    const order = [asc(collection), asc(what)];
    return rowsWhere(db, invalidRows, and(eq(invalidRows.account, account), isAfter), { order, limit: 1000 });
  },
} satisfies Reads<InvalidRowStore>;

export const invalidRowWrites = {
  record({ tx, nowMs }, account, collection, found) {
    for (const invalidRow of found) saveInvalidRow(tx, account, collection, invalidRow, nowMs);
  },

  clear({ tx }, account, collection, seenBeforeMs) {
    const isOf = and(eq(invalidRows.account, account), eq(invalidRows.collection, collection));
    deleteWhere(tx, invalidRows, and(isOf, lt(invalidRows.seenAtMs, seenBeforeMs)));
  },
} satisfies Writes<InvalidRowStore>;
