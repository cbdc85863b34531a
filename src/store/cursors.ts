import { type Interval, isTouching, merged } from '../domain/coverage.ts';
import type { Database, Queryable, Readable } from './database.ts';
import { and, desc, eq, inArray, sql } from './orm.ts';
import { rowBy } from './queries.ts';
import { coverage, cursors, facts } from './schema.ts';

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

/** Moves the cursor and records the window, in the caller's transaction. */
export function recordWindow(tx: Queryable, window: Window, nowMs: number): void {
  const { account, collection, cursor } = window;
  if (cursor !== null) {
    const set = { value: cursor, updatedAtMs: nowMs };
    tx.insert(cursors)
      .values({ account, collection, ...set })
      .onConflictDoUpdate({ target: [cursors.account, cursors.collection], set })
      .run();
  }
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
  const outdated = [...touching, ...known.slice(INTERVALS_KEPT)].map(({ id }) => id);
  if (outdated.length > 0) tx.delete(coverage).where(inArray(coverage.id, outdated)).run();
  const ends = { fromInstant: whole.from, toInstant: whole.to };
  tx.insert(coverage)
    .values({ account, collection, ...ends, rows: rowsRead, finding, readAtMs: nowMs })
    .run();
}

function coverageOf(db: Readable, account: string, collection: string): CoverageRow[] {
  const where = and(eq(coverage.account, account), eq(coverage.collection, collection));
  return db.select().from(coverage).where(where).orderBy(desc(coverage.id)).all();
}

export function intervalOf({ fromInstant, toInstant }: CoverageRow): Interval {
  return { from: fromInstant, to: toInstant };
}

/** This installation's own counter of reads: what was observed before what, without any clock. */
export function nextTick(tx: Queryable, account: string): number {
  const row = tx
    .insert(facts)
    .values({ account, name: 'tick', value: '1', updatedAtMs: 0 })
    .onConflictDoUpdate({
      target: [facts.account, facts.name],
      set: { value: sql`cast(cast(${facts.value} as integer) + 1 as text)` },
    })
    .returning({ value: facts.value })
    .get();
  return Number(row.value);
}

export function cursorStore(db: Database, now: () => number) {
  return {
    async get(account: string, collection: string): Promise<{ value: string; updatedAtMs: number } | null> {
      const where = and(eq(cursors.account, account), eq(cursors.collection, collection));
      return db.select().from(cursors).where(where).get() ?? null;
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

const findFact = rowBy(facts, 'account', 'name');

export function factStore(db: Database, now: () => number) {
  return {
    async get(account: string, name: string): Promise<string | null> {
      return findFact(db, { account, name })?.value ?? null;
    },
    async set(account: string, name: string, value: string): Promise<void> {
      const set = { value, updatedAtMs: now() };
      await db.transaction((tx) =>
        tx
          .insert(facts)
          .values({ account, name, ...set })
          .onConflictDoUpdate({ target: [facts.account, facts.name], set })
          .run(),
      );
    },
    async clear(account: string, name: string): Promise<void> {
      await db.transaction((tx) =>
        tx
          .delete(facts)
          .where(and(eq(facts.account, account), eq(facts.name, name)))
          .run(),
      );
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
