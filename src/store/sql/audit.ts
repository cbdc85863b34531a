import { createHash } from 'node:crypto';
import { counted } from '../../domain/counted.ts';
import type { Act, AuditFinding, AuditRow, AuditStore } from '../record.ts';
import type { Queryable, Readable } from './database.ts';
import { and, asc, desc, eq, gt, inArray, lt, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { built, inParts, unindexed } from './queries.ts';
import { audit } from './tables/record.ts';

function installationAct(action: string, target: string, after: string, who: string): Act {
  const nowhere = { account: '', flow: '', key: '' };
  return { ...nowhere, who, action, target, before: null, after, outcome: 'done', resultOf: null };
}

export function migrationAct({ count, backup }: { count: number; backup: string | null }, who: string): Act {
  const kept = backup === null ? 'it is new' : `the earlier one is kept in ${backup}`;
  return installationAct('migrate', 'the database', `${counted(count, 'migration')} applied; ${kept}`, who);
}

/** @param replaced the last entry of the replaced database's log, if readable */
export function restoreAct(file: string, kept: string | null, replaced: AuditFinding | null, who: string): Act {
  const before = replaced === null ? null : `${replaced.rows} acts, last hash ${replaced.lastHash ?? 'none'}`;
  const after = `restored from ${file}; ${kept === null ? 'there was none before' : `the one before is kept in ${kept}`}`;
  return { ...installationAct('restore', 'the database', after, who), before };
}

/** A row whose predecessor is lost does not have the empty hash of the chain's first row. */
const BEGINNING = '';
const MAX_TEXT = 4_000;

const findLast = built((db) =>
  db.select({ id: audit.id, hash: audit.hash }).from(audit).orderBy(desc(audit.id)).limit(1).prepare(),
);

/** Appends to the chain, in the caller's transaction. Returns the ids. */
export function appendAudit(tx: Queryable, acts: readonly Act[], nowMs: number): number[] {
  let last = findLast(tx).get() ?? { id: 0, hash: BEGINNING };
  const rows = acts.map((act) => {
    const row = { ...bounded(act), id: last.id + 1, atMs: nowMs, previousHash: last.hash };
    last = { id: row.id, hash: hashOf(row) };
    return { ...row, hash: last.hash };
  });
  for (const some of inParts(rows)) tx.insert(audit).values(some).run();
  return rows.map(({ id }) => id);
}

/** The text as SQLite returns it: it would replace half a surrogate pair. */
function bounded({ key, target, before, after, outcome, ...act }: Act): Act {
  const cut = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();
  const cutIfAny = (text: string | null) => (text === null ? null : cut(text));
  return {
    ...act,
    key: cut(key),
    target: cut(target),
    outcome: cut(outcome),
    before: cutIfAny(before),
    after: cutIfAny(after),
  };
}

/** SHA-256 of the row and of the previous row's hash. */
function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const { previousHash, id, atMs, who, account, flow, key, action, target, before, after, outcome, resultOf } = row;
  const content = [previousHash, id, atMs, who, account, flow, key, action, target, before, after, outcome, resultOf];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

const PAGE = 1_000;

const rowsAfter = (db: Readable, id: number, limit: number) =>
  db.select().from(audit).where(gt(audit.id, id)).orderBy(asc(audit.id)).limit(limit).all();

export const auditReads = {
  latest({ db }, limit, account, beforeId) {
    const where = and(
      account === undefined ? undefined : sql`${unindexed(audit.account)} in ${[account, '']}`,
      beforeId === undefined ? undefined : lt(audit.id, beforeId),
    );
    return db.select().from(audit).where(where).orderBy(desc(audit.id)).limit(limit).all().toReversed();
  },

  about({ db }, account, keys, limit) {
    const where = and(eq(audit.account, account), inArray(audit.key, [...keys]));
    return db.select().from(audit).where(where).orderBy(desc(audit.id)).limit(limit).all();
  },

  resultsOf({ db }, ids) {
    return inParts(ids).flatMap((some) => db.select().from(audit).where(inArray(audit.resultOf, some)).all());
  },

  verify({ db, shared }) {
    let last: { id: number; hash: string } | null = null;
    let rows = 0;
    const found = (broken: AuditFinding['broken']): AuditFinding => ({ rows, lastHash: last?.hash ?? null, broken });
    for (;;) {
      const page: AuditRow[] = rowsAfter(db, last?.id ?? Number.MIN_SAFE_INTEGER, PAGE);
      for (const row of page) {
        const why = linkProblem(row, last);
        if (why !== null) return found({ id: row.id, why });
        last = row;
        rows += 1;
      }
      if (page.length === PAGE) continue;
      const given = db.select({ id: shared.lastAuditId }).from(sql`(select 1) as one`).get();
      const next = (last?.id ?? 0) + 1;
      return found((given?.id ?? 0) < next ? null : { id: next, why: 'it was removed, from the end of the log' });
    }
  },
} satisfies Reads<AuditStore>;

export const auditWrites = {
  add({ tx, nowMs }, act) {
    return appendAudit(tx, [act], nowMs)[0] ?? 0;
  },

  noteSetting({ tx, nowMs }, account, name, value, who) {
    const [action, target] = [`config.${name}`, name];

    const same = and(eq(audit.account, account), eq(audit.action, action));
    const last = tx.select().from(audit).where(same).orderBy(desc(audit.id)).limit(1).get();
    const before = last?.after ?? null;
    if (before === value) return;
    const setting = { account, flow: '', key: '', action, target, before, after: value };
    appendAudit(tx, [{ ...setting, who, outcome: 'done', resultOf: null }], nowMs);
  },
} satisfies Writes<AuditStore>;

/** Why a row does not continue the chain after the previous one; null: it does. */
function linkProblem(row: AuditRow, last: { id: number; hash: string } | null): string | null {
  const expected = (last?.id ?? 0) + 1;
  if (row.id !== expected) return `row ${expected} before it is missing`;
  if (row.previousHash !== (last?.hash ?? BEGINNING)) return 'it carries another hash than that of the row before it';
  return hashOf(row) === row.hash ? null : 'what it says is not what its hash was made of';
}
