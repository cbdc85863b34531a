import { appendAudit } from './audit.ts';
import type { Database, Queryable } from './database.ts';
import { and, desc, eq, gt, gte, inArray, lt, sql } from './orm.ts';
import { built, insertInto } from './queries.ts';
import { journal } from './tables/record.ts';

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
  /** `sent`: on record before it is sent; it stays so when the program dies before the answer. */
  readonly outcome: 'sent' | 'written' | 'refused' | 'unknown' | 'dry-run' | 'noted';
  readonly answer: string;
}

const MAX_TEXT = 4_000;

function rowOf(entry: JournalEntry, nowMs: number) {
  const cut = (text: string | null) => (text === null ? null : text.slice(0, MAX_TEXT));
  const bounded = { before: cut(entry.before), after: cut(entry.after), answer: entry.answer.slice(0, MAX_TEXT) };
  return { ...entry, ...bounded, atMs: nowMs };
}

/** Something that an operator did, with who it was. */
export interface OperatorAct {
  readonly account: string;
  readonly flow: string;
  readonly key: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly by: string;
}

/**
 * Records what an operator did, in the caller's transaction: for good in the audit log, and in the journal for whoever
 * looks at the entity. At most some thousand at once. Answers the ids in the audit log.
 */
export function addActs(tx: Queryable, acts: readonly OperatorAct[], nowMs: number): number[] {
  const rows = acts.map(({ by, ...act }) => rowOf({ ...act, why: `by ${by}`, outcome: 'noted', answer: '' }, nowMs));
  if (rows.length > 0) tx.insert(journal).values(rows).run();
  return appendAudit(
    tx,
    acts.map(({ by, ...act }) => ({ ...act, who: by, outcome: 'done', resultOf: null })),
    nowMs,
  );
}

const insertEntry = insertInto(journal);
const countByAction = built((db) =>
  db
    .select({ action: journal.action, outcome: journal.outcome, count: sql<number>`count(*)` })
    .from(journal)
    .where(eq(journal.account, sql.placeholder('account')))
    .groupBy(journal.action, journal.outcome)
    .prepare(),
);
const isEntry = eq(journal.id, sql.placeholder('id'));
const endEntry = built((db) => {
  const [outcome, answer] = [sql`${sql.placeholder('outcome')}`, sql`${sql.placeholder('answer')}`];
  return db.update(journal).set({ outcome, answer }).where(isEntry).prepare();
});
const moveEntry = built((db) => {
  const atMs = sql`${sql.placeholder('atMs')}`;
  return db.update(journal).set({ atMs }).where(isEntry).prepare();
});

/** A write that was made: what it was, and when it was made last. */
type WrittenOnce = Pick<JournalRow, 'target' | 'after' | 'atMs'>;

const findWritten = built((db) => {
  const { account, action, outcome, atMs, target, after } = journal;
  const isApplied = inArray(outcome, ['sent', 'written', 'unknown']);
  const is = and(eq(account, sql.placeholder('account')), eq(action, sql.placeholder('action')));
  return db
    .select({ target, after, atMs: sql<number>`max(${atMs})` })
    .from(journal)
    .where(and(is, isApplied, gte(atMs, sql.placeholder('sinceMs'))))
    .groupBy(target, after)
    .prepare();
});

const LATEST = 20;

const findLatest = built((db) => {
  const of = (name: 'account' | 'flow' | 'key') => eq(journal[name], sql.placeholder(name));
  const applied = inArray(journal.outcome, ['sent', 'written', 'unknown']);
  const { outcome, atMs, before, after } = journal;
  return db
    .select({ outcome, atMs, before, after })
    .from(journal)
    .where(and(of('account'), of('flow'), of('key'), applied))
    .orderBy(desc(journal.id))
    .limit(LATEST)
    .prepare();
});

export function journalStore(db: Database, now: () => number) {
  return {
    async add(entry: JournalEntry): Promise<void> {
      await db.transaction((tx) => insertEntry(tx, rowOf(entry, now())));
    },

    /** Puts a write on record before it is sent. Answers the id that ends it. */
    async begin(entry: Omit<JournalEntry, 'outcome' | 'answer'>): Promise<number> {
      const row = rowOf({ ...entry, outcome: 'sent', answer: '' }, now());
      return db.transaction((tx) => insertEntry(tx, row));
    },

    async end(id: number, outcome: JournalEntry['outcome'], answer: string): Promise<void> {
      const ended = { id, outcome, answer: answer.slice(0, MAX_TEXT) };
      await db.transaction((tx) => endEntry(tx).run(ended));
    },

    /** It waited until now: from here on it may be applied. */
    async sending(id: number): Promise<void> {
      await db.transaction((tx) => moveEntry(tx).run({ id, atMs: now() }));
    },

    /** It was not sent after all. */
    async drop(id: number): Promise<void> {
      await db.transaction((tx) => tx.delete(journal).where(eq(journal.id, id)).run());
    },

    /** When the latest writes of this key were sent, newest first, of those that were applied or may have been. */
    async latestWrites(
      account: string,
      flow: string,
      key: string,
    ): Promise<{ outcome: string; atMs: number; before: string | null; after: string | null }[]> {
      return findLatest(db).all({ account, flow, key });
    },

    async of(account: string, flow: string, key: string, limit: number): Promise<JournalRow[]> {
      const where = and(eq(journal.account, account), eq(journal.flow, flow), eq(journal.key, key));
      return db.select().from(journal).where(where).orderBy(desc(journal.id)).limit(limit).all();
    },

    /** Entries after `afterId`, oldest first: for a reader that follows along. */
    async after(afterId: number, limit: number): Promise<JournalRow[]> {
      return db.select().from(journal).where(gt(journal.id, afterId)).orderBy(journal.id).limit(limit).all();
    },

    /**
     * The writes of this action that an account made since then, each with when it was made last: what brakes count. One
     * whose answer was lost may have been applied, so it counts; repeated, it is still the same one.
     */
    async written(account: string, action: string, sinceMs: number): Promise<WrittenOnce[]> {
      return findWritten(db).all({ account, action, sinceMs });
    },

    async countsByAction(account: string): Promise<{ action: string; outcome: string; count: number }[]> {
      return countByAction(db).all({ account });
    },

    async prune(beforeMs: number): Promise<void> {
      await db.transaction((tx) => tx.delete(journal).where(lt(journal.atMs, beforeMs)).run());
    },
  };
}
