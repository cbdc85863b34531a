import type { Database, Queryable } from './database.ts';
import { and, eq, gte, lt, or, sql } from './orm.ts';
import { built, rowBy } from './queries.ts';
import { misfits } from './tables/reading.ts';

export type MisfitRow = typeof misfits.$inferSelect;

/** A row that does not fit the documented shape. */
export interface FoundMisfit {
  /** What can be told of it: its number, id or SKU. */
  readonly what: string;
  /** Where it does not fit: `line_items[0].quantity`. */
  readonly path: string;
  readonly message: string;
}

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

export function misfitStore(db: Database, now: () => number) {
  return {
    async record(account: string, collection: string, found: readonly FoundMisfit[]): Promise<void> {
      if (found.length === 0) return;
      await db.transaction((tx) => {
        for (const misfit of found) saveMisfit(tx, account, collection, misfit, now());
      });
    },

    async get(account: string, collection: string, what: string): Promise<MisfitRow | null> {
      return findMisfit(db, { account, collection, what }) ?? null;
    },

    /** Of an entity, or of one of its rows: those are named `ID at PLACE`. */
    async ofEntity(account: string, collection: string, id: string): Promise<MisfitRow | null> {
      const rows = `${id} at `;
      return findOfEntity(db).get({ account, collection, id, rows, end: `${rows}\u{10ffff}` }) ?? null;
    },

    /** After a complete listing: what did not come again with a misfit is mended or gone. */
    async clear(account: string, collection: string, seenBeforeMs: number): Promise<void> {
      const where = and(eq(misfits.account, account), eq(misfits.collection, collection));
      await db.transaction((tx) =>
        tx
          .delete(misfits)
          .where(and(where, lt(misfits.seenAtMs, seenBeforeMs)))
          .run(),
      );
    },

    async list(account?: string): Promise<MisfitRow[]> {
      const where = account === undefined ? undefined : eq(misfits.account, account);
      return db.select().from(misfits).where(where).limit(1000).all();
    },
  };
}
