import type { FoundMisfit, MisfitStore } from '../reading.ts';
import type { Queryable } from './database.ts';
import { and, eq, gte, lt, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, rowBy } from './queries.ts';
import { misfits } from './tables/reading.ts';

export function saveMisfit(
  tx: Queryable,
  account: string,
  collection: string,
  found: FoundMisfit,
  nowMs: number,
): void {
  const { what, path, message } = found;
  const set = { path, message, seenAtMs: nowMs };
  tx.insert(misfits)
    .values({ account, collection, what, ...set })
    .onConflictDoUpdate({ target: [misfits.account, misfits.collection, misfits.what], set })
    .run();
}

/** The row fits again. */
export function dropMisfit(tx: Queryable, account: string, collection: string, what: string): boolean {
  return dropOne(tx).run({ account, collection, what }).changes > 0;
}

const findMisfit = rowBy(misfits, 'account', 'collection', 'what');

const findOfEntity = built((db) => {
  const { account, collection, what } = misfits;
  const [of, within] = [eq(account, sql.placeholder('account')), eq(collection, sql.placeholder('collection'))];
  const isRow = and(gte(what, sql.placeholder('rows')), lt(what, sql.placeholder('end')));
  const isOfIt = or(eq(what, sql.placeholder('id')), isRow);
  return db
    .select()
    .from(misfits)
    .where(and(of, within, isOfIt))
    .limit(1)
    .prepare();
});

const dropOne = built((db) => {
  const { account, collection, what } = misfits;
  const [of, within] = [eq(account, sql.placeholder('account')), eq(collection, sql.placeholder('collection'))];
  return db
    .delete(misfits)
    .where(and(of, within, eq(what, sql.placeholder('what'))))
    .prepare();
});

export const misfitReads = {
  get({ db }, account, collection, what) {
    return findMisfit(db, { account, collection, what }) ?? null;
  },

  ofEntity({ db }, account, collection, id) {
    const rows = `${id} at `;
    return findOfEntity(db).get({ account, collection, id, rows, end: `${rows}\u{10ffff}` }) ?? null;
  },

  list({ db }, account) {
    const where = account === undefined ? undefined : eq(misfits.account, account);
    return db.select().from(misfits).where(where).limit(1000).all();
  },
} satisfies Reads<MisfitStore>;

export const misfitWrites = {
  record({ tx, nowMs }, account, collection, found) {
    if (found.length === 0) return;

    for (const misfit of found) saveMisfit(tx, account, collection, misfit, nowMs);
  },

  clear({ tx }, account, collection, seenBeforeMs) {
    const where = and(eq(misfits.account, account), eq(misfits.collection, collection));

    tx.delete(misfits)
      .where(and(where, lt(misfits.seenAtMs, seenBeforeMs)))
      .run();
  },
} satisfies Writes<MisfitStore>;
