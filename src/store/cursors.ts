import type { Database, Queryable } from './database.ts';
import { and, desc, eq, sql } from './orm.ts';
import { rowBy } from './queries.ts';
import { coverage, cursors, facts } from './schema.ts';

export type CoverageRow = typeof coverage.$inferSelect;

/** A window of a collection that a read has covered, to be stored with its rows. */
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

const COVERAGE_KEPT = 2_000;

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
  tx.insert(coverage)
    .values({
      account,
      collection,
      fromInstant: window.from,
      toInstant: window.to,
      rows: window.rows,
      finding: window.finding,
      readAtMs: nowMs,
    })
    .run();
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

    async windows(account: string, collection: string, limit: number): Promise<CoverageRow[]> {
      const where = and(eq(coverage.account, account), eq(coverage.collection, collection));
      return db.select().from(coverage).where(where).orderBy(desc(coverage.id)).limit(limit).all();
    },

    async record(window: Window): Promise<void> {
      await db.transaction((tx) => recordWindow(tx, window, now()));
    },

    async tick(account: string): Promise<number> {
      return db.transaction((tx) => nextTick(tx, account));
    },

    /** Keeps the newest windows of each collection. */
    async prune(): Promise<void> {
      await db.transaction((tx) =>
        tx.run(sql`delete from ${coverage} where ${coverage.id} <= (
        select max(newer.id) - ${COVERAGE_KEPT} from ${coverage} as newer
        where newer.account = ${coverage}.account and newer.collection = ${coverage}.collection)`),
      );
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
