import { and, count, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { journal, pauses } from './schema.ts';

export type JournalRow = typeof journal.$inferSelect;

export interface JournalEntry {
  readonly account: string;
  readonly flow: string;
  readonly key: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  readonly outcome: 'written' | 'refused' | 'unknown' | 'dry-run' | 'noted';
  readonly answer: string;
}

const MAX_TEXT = 4_000;

export function journalStore(db: Database, now: () => number) {
  return {
    async add(entry: JournalEntry): Promise<void> {
      const cut = (text: string | null) => (text === null ? null : text.slice(0, MAX_TEXT));
      const bounded = { before: cut(entry.before), after: cut(entry.after), answer: entry.answer.slice(0, MAX_TEXT) };
      db.insert(journal)
        .values({ ...entry, ...bounded, atMs: now() })
        .run();
    },

    async of(account: string, flow: string, key: string, limit: number): Promise<JournalRow[]> {
      const where = and(eq(journal.account, account), eq(journal.flow, flow), eq(journal.key, key));
      return db.select().from(journal).where(where).orderBy(desc(journal.id)).limit(limit).all();
    },

    /** Entries after `afterId`, oldest first: for a reader that follows along. */
    async after(afterId: number, limit: number): Promise<JournalRow[]> {
      return db.select().from(journal).where(gt(journal.id, afterId)).orderBy(journal.id).limit(limit).all();
    },

    /** How many writes of this action an account made since then: what brakes count over a rolling day. */
    async written(account: string, action: string, sinceMs: number): Promise<number> {
      const where = and(
        eq(journal.account, account),
        eq(journal.action, action),
        eq(journal.outcome, 'written'),
        gte(journal.atMs, sinceMs),
      );
      return db.select({ n: count() }).from(journal).where(where).get()?.n ?? 0;
    },

    async countsByAction(account: string): Promise<{ action: string; outcome: string; count: number }[]> {
      return db
        .select({ action: journal.action, outcome: journal.outcome, count: sql<number>`count(*)` })
        .from(journal)
        .where(eq(journal.account, account))
        .groupBy(journal.action, journal.outcome)
        .all();
    },

    async prune(beforeMs: number): Promise<void> {
      db.delete(journal).where(lt(journal.atMs, beforeMs)).run();
    },
  };
}

export function pauseStore(db: Database, now: () => number) {
  const is = (account: string, flow: string) => and(eq(pauses.account, account), eq(pauses.flow, flow));
  return {
    async pause(account: string, flow: string, reason: string): Promise<void> {
      const set = { reason, sinceMs: now() };
      db.insert(pauses)
        .values({ account, flow, ...set })
        .onConflictDoUpdate({ target: [pauses.account, pauses.flow], set })
        .run();
    },
    async resume(account: string, flow: string): Promise<boolean> {
      return db.delete(pauses).where(is(account, flow)).run().changes > 0;
    },
    async all(): Promise<(typeof pauses.$inferSelect)[]> {
      return db.select().from(pauses).all();
    },
  };
}
