import type { Act, JournalChoice, JournalEntry, JournalStore } from '../record.ts';
import { appendAudit } from './audit.ts';
import type { Queryable } from './database.ts';
import { and, desc, eq, gt, gte, inArray, lt, lte, sql } from './orm.ts';
import type { Notes, Reads, Writes } from './part.ts';
import { built, changeBy, deleteBy, inParts, insertCounted, matching, selecting, unindexed } from './queries.ts';
import { journal } from './tables/record.ts';

const MAX_TEXT = 4_000;

function rowOf(entry: JournalEntry, nowMs: number) {
  const cut = (text: string | null) => (text === null ? null : text.slice(0, MAX_TEXT));
  const bounded = { before: cut(entry.before), after: cut(entry.after), answer: entry.answer.slice(0, MAX_TEXT) };
  return { ...entry, ...bounded, atMs: nowMs };
}

export type OperatorAct = Omit<Act, 'who' | 'outcome' | 'resultOf'> & { readonly by: string };

/**
 * Records acts in the audit log for ever, and in the journal next to the entity's other entries. Returns the audit ids.
 */
export function addActs(tx: Queryable, acts: readonly OperatorAct[], nowMs: number): number[] {
  const rows = acts.map(({ by, ...act }) => rowOf({ ...act, why: `by ${by}`, outcome: 'noted', answer: '' }, nowMs));
  for (const some of inParts(rows)) tx.insert(journal).values(some).run();
  const audited = acts.map(({ by, ...act }) => ({ ...act, who: by, outcome: 'done', resultOf: null }));
  return appendAudit(tx, audited, nowMs);
}

const insertEntry = insertCounted(journal);
const countByAction = built((db) =>
  db
    .select({ action: journal.action, outcome: journal.outcome, count: sql<number>`count(*)` })
    .from(journal)
    .where(matching(journal, 'account'))
    .groupBy(journal.action, journal.outcome)
    .prepare(),
);
const endEntry = changeBy(journal, ['id'], ['outcome', 'answer']);
const moveEntry = changeBy(journal, ['id'], ['atMs']);
const dropEntry = deleteBy(journal, 'id');

const isApplied = inArray(journal.outcome, ['sent', 'written', 'unknown']);

const findWritten = built((db) => {
  const { atMs, target, after } = journal;
  return db
    .select({ target, after, atMs: sql<number>`max(${atMs})` })
    .from(journal)
    .where(and(matching(journal, 'account', 'action'), isApplied, gte(atMs, sql.placeholder('sinceMs'))))
    .groupBy(target, after)
    .prepare();
});

const LATEST = 20;

const WRITE = { outcome: journal.outcome, atMs: journal.atMs, before: journal.before, after: journal.after };

export const findLatest = selecting(WRITE, (db, fields) =>
  db
    .select(fields)
    .from(journal)
    .where(and(matching(journal, 'account', 'flow', 'key'), isApplied))
    .orderBy(desc(journal.id))
    .limit(LATEST),
);

/**
 * One account may have most of the entries, so an index that starts with the account is used only together with a key.
 */
function isChosen({ accounts, flow, keys, sinceMs }: JournalChoice) {
  const account = keys === undefined ? unindexed(journal.account) : journal.account;
  return and(
    accounts === undefined ? undefined : sql`${account} in ${[...accounts]}`,
    flow === undefined ? undefined : eq(journal.flow, flow),
    keys === undefined ? undefined : inArray(journal.key, [...keys]),
    sinceMs === undefined ? undefined : gte(journal.atMs, sinceMs),
  );
}

export const journalReads = {
  latestWrites({ db }, account, flow, key) {
    return findLatest(db).all({ account, flow, key });
  },

  of({ db }, account, flow, key, limit, untilMs) {
    const is = and(eq(journal.account, account), eq(journal.flow, flow), eq(journal.key, key));
    const where = untilMs === undefined ? is : and(is, lte(journal.atMs, untilMs));
    return db.select().from(journal).where(where).orderBy(desc(journal.id)).limit(limit).all();
  },

  after({ db }, afterId, limit, choice = {}) {
    const where = and(gt(journal.id, afterId), isChosen(choice));
    return db.select().from(journal).where(where).orderBy(journal.id).limit(limit).all();
  },

  before({ db }, beforeId, limit, choice = {}) {
    const where = and(beforeId === null ? undefined : lt(journal.id, beforeId), isChosen(choice));
    return db.select().from(journal).where(where).orderBy(desc(journal.id)).limit(limit).all();
  },

  written({ db }, account, action, sinceMs) {
    return findWritten(db).all({ account, action, sinceMs });
  },

  countsByAction({ db }, account) {
    return countByAction(db).all({ account });
  },
} satisfies Reads<JournalStore>;

export const journalWrites = {
  add({ tx, nowMs }, entry) {
    insertEntry(tx, rowOf(entry, nowMs));
  },

  sending({ tx, nowMs }, id) {
    moveEntry(tx, { id, atMs: nowMs });
  },

  prune({ tx }, beforeMs) {
    tx.delete(journal).where(lt(journal.atMs, beforeMs)).run();
  },
} satisfies Writes<JournalStore>;

export const journalNotes = {
  begin({ tx, nowMs }, entry) {
    return insertEntry(tx, rowOf({ ...entry, outcome: 'sent', answer: '' }, nowMs));
  },

  end({ tx }, id, outcome, answer) {
    endEntry(tx, { id, outcome, answer: answer.slice(0, MAX_TEXT) });
  },

  drop({ tx }, id) {
    dropEntry(tx, { id });
  },
} satisfies Notes<JournalStore>;
