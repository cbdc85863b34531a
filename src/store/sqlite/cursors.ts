import { type Interval, isTouching, merged } from '../../domain/coverage.ts';
import type { Database, Queryable, Readable } from './database.ts';
import { and, desc, eq, sql } from './orm.ts';
import { built, insertInto, putInto, rowBy } from './queries.ts';
import { coverage, cursors, facts } from './tables/reading.ts';

export type CoverageRow = typeof coverage.$inferSelect;

/**
 * A window of a collection that a read has covered, to be stored with its rows. What was not read to its end covers
 * nothing beyond `from`.
 */
export interface Window {
  readonly account: string;
  readonly collection: string;
  /** null: from the beginning. */
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly finding: string | null;
  /** The new cursor, exactly as the server sent it; null leaves it where it is. */
  readonly cursor: string | null;
}

/** More holes than this in one collection are one: reading again what was read is safe. */
const INTERVALS_KEPT = 200;

const findCursor = rowBy(cursors, 'account', 'collection');
const putCursor = putInto(cursors, 'account', 'collection');
const insertCoverage = insertInto(coverage);
const deleteCoverage = built((db) =>
  db
    .delete(coverage)
    .where(eq(coverage.id, sql.placeholder('id')))
    .prepare(),
);
const findCoverage = built((db) => {
  const ofCollection = [
    eq(coverage.account, sql.placeholder('account')),
    eq(coverage.collection, sql.placeholder('collection')),
  ];
  return db
    .select()
    .from(coverage)
    .where(and(...ofCollection))
    .orderBy(desc(coverage.id))
    .prepare();
});

/** Moves the cursor and records the window, in the caller's transaction. */
export function recordWindow(tx: Queryable, window: Window, nowMs: number): void {
  const { account, collection, cursor } = window;
  if (cursor !== null) putCursor(tx, { account, collection, value: cursor, updatedAtMs: nowMs });
  cover(tx, window, nowMs);
}

/** What was covered before and touches the window becomes one with it: what stands apart are the holes. */
function cover(tx: Queryable, { account, collection, from, to, rows, finding }: Window, nowMs: number): void {
  const known = coverageOf(tx, account, collection);
  const [fresh] = merged([{ from, to }]);
  if (fresh === undefined) return;
  const touching = known.filter((row) => isTouching(intervalOf(row), fresh));
  const [whole = fresh] = merged([fresh, ...touching.map(intervalOf)]);
  const rowsRead = touching.reduce((total, row) => total + row.rows, rows);
  for (const { id } of [...touching, ...known.slice(INTERVALS_KEPT)]) deleteCoverage(tx).run({ id });
  const ends = { fromInstant: whole.from, toInstant: whole.to };
  insertCoverage(tx, { account, collection, ...ends, rows: rowsRead, finding, readAtMs: nowMs });
}

function coverageOf(db: Readable, account: string, collection: string): CoverageRow[] {
  return findCoverage(db).all({ account, collection });
}

export function intervalOf({ fromInstant, toInstant }: CoverageRow): Interval {
  return { from: fromInstant, to: toInstant };
}

const countTick = built((db) =>
  db
    .insert(facts)
    .values({ account: sql.placeholder('account'), name: 'tick', value: '1', updatedAtMs: 0 })
    .onConflictDoUpdate({
      target: [facts.account, facts.name],
      set: { value: sql`cast(cast(${facts.value} as integer) + 1 as text)` },
    })
    .returning({ value: facts.value })
    .prepare(),
);

/** This installation's own counter of reads: what was observed before what, without any clock. */
export function nextTick(tx: Queryable, account: string): number {
  return Number(countTick(tx).get({ account }).value);
}

export function cursorStore(db: Database, now: () => number) {
  return {
    async get(account: string, collection: string): Promise<{ value: string; updatedAtMs: number } | null> {
      return findCursor(db, { account, collection }) ?? null;
    },

    async all(): Promise<(typeof cursors.$inferSelect)[]> {
      return db.select().from(cursors).all();
    },

    /** What was covered of a collection, without what touches: what was read last comes first. */
    async windows(account: string, collection: string): Promise<CoverageRow[]> {
      return coverageOf(db, account, collection);
    },

    /** The collections of an account that anything was read of. */
    async collections(account: string): Promise<string[]> {
      const found = db.selectDistinct({ collection: coverage.collection }).from(coverage);
      return found
        .where(eq(coverage.account, account))
        .orderBy(coverage.collection)
        .all()
        .map((row) => row.collection);
    },

    async record(window: Window): Promise<void> {
      await db.transaction((tx) => recordWindow(tx, window, now()));
    },

    async tick(account: string): Promise<number> {
      return db.transaction((tx) => nextTick(tx, account));
    },
  };
}

export const findFact = rowBy(facts, 'account', 'name');
export const putFact = putInto(facts, 'account', 'name');
const deleteFact = built((db) =>
  db
    .delete(facts)
    .where(and(eq(facts.account, sql.placeholder('account')), eq(facts.name, sql.placeholder('name'))))
    .prepare(),
);

export function factStore(db: Database, now: () => number) {
  return {
    async get(account: string, name: string): Promise<string | null> {
      return findFact(db, { account, name })?.value ?? null;
    },
    async set(account: string, name: string, value: string): Promise<void> {
      await db.transaction((tx) => putFact(tx, { account, name, value, updatedAtMs: now() }));
    },
    async clear(account: string, name: string): Promise<void> {
      await db.transaction((tx) => deleteFact(tx).run({ account, name }));
    },
    async startingWith(account: string, prefix: string): Promise<{ name: string; value: string }[]> {
      return db
        .select({ name: facts.name, value: facts.value })
        .from(facts)
        .where(and(eq(facts.account, account), sql`substr(${facts.name}, 1, ${prefix.length}) = ${prefix}`))
        .all();
    },
  };
}
