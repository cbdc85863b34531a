import { createHash } from 'node:crypto';
import type { Cause } from '../../domain/causes/cause.ts';
import type { FoundMisfit, MisfitRow, MisfitStore } from '../reading.ts';
import { StoreError } from '../store-error.ts';
import type { Queryable } from './database.ts';
import { and, asc, eq, getTableColumns, gte, inArray, lt, or, sql } from './orm.ts';
import type { ReadAt, Reads, WriteAt, Writes } from './part.ts';
import { built, deleteBy, deleteWhere, matching, putInto, rowBy, rowsWhere, selecting } from './queries.ts';
import { misfits } from './tables/reading.ts';

/** When this many rows of a list do not fit, it is no list. Its page is not stored, and its read fails. */
const MAX_KEPT = 10_000;
/** Before that, misfits that no read has shown for this long make room, this many at once. The rest of the list goes on. */
const STALE_MS = 60 * 60_000;
const ROOM = 1_000;
const MAX_TEXT = 2_000;

const countMisfits = built((db) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(misfits)
    .where(matching(misfits, 'account', 'collection'))
    .prepare(),
);

/** A longer name of a row is no key: PostgreSQL could not keep it in an index. */
const MAX_NAME = 200;
const KEPT_OF_NAME = 120;

/** The name under which a row is kept that does not fit. A very long name is cut, and stays the only one of its kind. */
export function nameOfRow(what: string): string {
  // A row that breaks a rule may have no name at all.
  const name = String(what).toWellFormed();
  if (name.length <= MAX_NAME) return name;
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 16);
  return `${name.slice(0, KEPT_OF_NAME).toWellFormed()}… (${digest})`;
}

/**
 * Answers the name under which the row is kept.
 * @throws StoreError when too many rows of this collection do not fit
 */
export function saveMisfit(
  tx: Queryable,
  account: string,
  collection: string,
  found: FoundMisfit,
  nowMs: number,
): string {
  const what = nameOfRow(found.what);
  if (findMisfit(tx, { account, collection, what }) === undefined) {
    const kept = countMisfits(tx).get({ account, collection })?.count ?? 0;
    if (kept >= MAX_KEPT && !makeRoom(tx, account, collection, nowMs - STALE_MS)) {
      throw new StoreError(`more than ${MAX_KEPT} rows of ${collection} do not fit`);
    }
  }
  const [path, message] = [found.path, found.message].map((text) => text.slice(0, MAX_TEXT));
  const why = { path: path ?? '', message: message ?? '', cause: found.cause ?? null };
  putMisfit(tx, { account, collection, what, ...why, seenAtMs: nowMs });
  return what;
}

/** Sets a row aside that cannot be stored. Answers the name under which it is kept. */
export function saveUnstored(
  { tx, nowMs }: WriteAt,
  account: string,
  collection: string,
  what: string,
  problem: Cause,
): string {
  return saveMisfit(tx, account, collection, { what, path: '', message: '', cause: problem }, nowMs);
}

function makeRoom(tx: Queryable, account: string, collection: string, beforeMs: number): boolean {
  const { what, seenAtMs } = misfits;
  const isOf = and(eq(misfits.account, account), eq(misfits.collection, collection));
  const isStale = and(isOf, lt(seenAtMs, beforeMs));
  const stale = tx.select({ what }).from(misfits).where(isStale).orderBy(asc(seenAtMs)).limit(ROOM);
  return deleteWhere(tx, misfits, and(isOf, inArray(what, stale))) > 0;
}

/** Deletes the misfit of a row that fits again. */
export function dropMisfit(tx: Queryable, account: string, collection: string, what: string): boolean {
  return dropOne(tx, { account, collection, what: nameOfRow(what) }) > 0;
}

/** Does the same for the rows of a page. Nearly always no row of the list has a misfit, and then no more is asked. */
export function misfitsToDrop(tx: Queryable, account: string, collection: string): (what: string) => boolean {
  const isAny = findAny(tx).get({ account, collection }) !== undefined;
  return (what) => isAny && dropMisfit(tx, account, collection, what);
}

const findAny = selecting({ what: misfits.what }, (db, fields) =>
  db
    .select(fields)
    .from(misfits)
    .where(matching(misfits, 'account', 'collection'))
    .limit(1),
);

/** The misfit of an entity, or of one of its rows. Such rows are named `ID at PLACE`. */
export function misfitOfEntity({ db }: ReadAt, account: string, collection: string, id: string): MisfitRow | null {
  const rows = `${id} at `;
  return findOfEntity(db).get({ account, collection, id, rows, end: `${rows}\u{10ffff}` }) ?? null;
}

export const findMisfit = rowBy(misfits, 'account', 'collection', 'what');

const putMisfit = putInto(misfits, 'account', 'collection', 'what');
const dropOne = deleteBy(misfits, 'account', 'collection', 'what');

export const findOfEntity = selecting(getTableColumns(misfits), (db, fields) => {
  const { what } = misfits;
  const isRow = and(gte(what, sql.placeholder('rows')), lt(what, sql.placeholder('end')));
  const isOfIt = or(eq(what, sql.placeholder('id')), isRow);
  return db
    .select(fields)
    .from(misfits)
    .where(and(matching(misfits, 'account', 'collection'), isOfIt))
    .limit(1);
});

export const misfitReads = {
  get({ db }, account, collection, what) {
    return findMisfit(db, { account, collection, what }) ?? null;
  },

  groups({ db }, account) {
    const { collection, what } = misfits;
    const rows = db
      .select({ collection, what: sql<string>`min(${what})`, count: sql<number>`count(*)` })
      .from(misfits)
      .where(eq(misfits.account, account))
      .groupBy(collection)
      .orderBy(asc(collection))
      .all();
    return rows.flatMap(({ collection: of, what: least, count }) => {
      const found = findMisfit(db, { account, collection: of, what: least });
      if (found === undefined) return [];
      return [{ collection: of, count, first: found }];
    });
  },

  list({ db }, account, after) {
    const { collection, what } = misfits;
    const isAfter =
      after === undefined ? undefined : sql`(${collection}, ${what}) > (${after.collection}, ${after.what})`;
    const order = [asc(collection), asc(what)];
    return rowsWhere(db, misfits, and(eq(misfits.account, account), isAfter), { order, limit: 1000 });
  },
} satisfies Reads<MisfitStore>;

export const misfitWrites = {
  record({ tx, nowMs }, account, collection, found) {
    for (const misfit of found) saveMisfit(tx, account, collection, misfit, nowMs);
  },

  clear({ tx }, account, collection, seenBeforeMs) {
    const isOf = and(eq(misfits.account, account), eq(misfits.collection, collection));
    deleteWhere(tx, misfits, and(isOf, lt(misfits.seenAtMs, seenBeforeMs)));
  },
} satisfies Writes<MisfitStore>;
