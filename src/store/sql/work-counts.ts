import { type Cause, cause, SHARED_PARAMS, sharedOf } from '../../domain/causes/cause.ts';
import type { StoppedGroup, StoppedState, WorkCounts } from '../work.ts';
import { findFact } from './cursors.ts';
import type { Readable } from './database.ts';
import { and, asc, desc, eq, ne, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { countOf, rowBy, rowsWhere } from './queries.ts';
import { failedJobs, intents, work } from './tables/work.ts';
import { findWork, isOnHold } from './work.ts';

export const workCountReads = {
  counts({ db }) {
    // Groups name this column: to PostgreSQL, the same expression with other parameters is another one.
    const state = sql<'pending' | 'held'>`case when ${isOnHold} then 'held' else 'pending' end`.as('shown');
    const left = db
      .select({
        account: work.account,
        flow: work.flow,
        state,
        count: sql<number>`count(*)`,
        oldestMs: sql<number>`min(${work.sinceMs})`,
      })
      .from(work)
      .where(ne(work.state, 'failed'))
      .groupBy(work.account, work.flow, sql`shown`)
      .all();
    const { account, flow, failedAtMs } = failedJobs;
    const failed = db
      .select({ account, flow, count: sql<number>`count(*)`, oldestMs: sql<number>`min(${failedAtMs})` })
      .from(failedJobs)
      .groupBy(account, flow)
      .all();
    return [...left, ...failed.map((row) => ({ ...row, state: 'failed' as const }))];
  },

  pending({ db }, account) {
    return countOf(db, work, and(eq(work.account, account), eq(work.state, 'pending')));
  },

  pendingSinceMs({ db }, account) {
    const where = and(eq(work.account, account), eq(work.state, 'pending'));
    const oldest = db.select({ sinceMs: sql<number | null>`min(${work.sinceMs})` }).from(work);
    return oldest.where(where).get()?.sinceMs ?? null;
  },

  held({ db }, account) {
    const isHeld = and(isOnHold, account === undefined ? undefined : eq(work.account, account));
    return rowsWhere(db, work, isHeld, { order: [asc(work.sinceMs)], limit: 1000 });
  },

  groups: ({ db }, account, state) => stoppedGroups(db, account, state),

  countFor({ db }, account, state, codes) {
    const of = sql`(${CASES[state](account)}) as counted`;
    const count = sql<number>`count(distinct about || ':' || key)`;
    return (
      db
        .select({ count })
        .from(of)
        .where(sql`code in ${[...codes]}`)
        .get()?.count ?? 0
    );
  },

  heldBesides({ db }, account, codes) {
    const isBesides = codes.length === 0 ? sql`true` : sql`code not in ${codes}`;
    return db
      .select({ flow: sql<string>`about`, count: sql<number>`count(distinct key)` })
      .from(sql`(${CASES.held(account)}) as counted`)
      .where(isBesides)
      .groupBy(sql`about`)
      .all();
  },

  heldAfter({ db }, account, after, limit) {
    const isAfter = after === null ? undefined : sql`(${work.flow}, ${work.key}) > (${after.flow}, ${after.key})`;
    const isHeld = and(isOnHold, eq(work.account, account), isAfter);
    return rowsWhere(db, work, isHeld, { order: [asc(work.flow), asc(work.key)], limit });
  },
} satisfies Reads<WorkCounts>;

type Sql = ReturnType<typeof sql>;

/** The range of fact names with the prefix of alerts. */
const [ALERTS, AFTER_ALERTS, NAME] = ['alert:', 'alert;', 'alert:'.length + 1];
const name = sql`substr(f.name, ${sql.raw(String(NAME))})`;
const colon = sql`instr(${name} || ':', ':')`;
/** A null that both engines treat as an integer. */
const UNKNOWN_MS = sql`nullif(0, 0)`;
const codeOf = (json: Sql) => sql`json_extract(${json}, '$.code')`;
/** The part that cases of a code share, so that each cause is counted separately. */
const sharedIn = (json: Sql) => {
  const whens = SHARED_PARAMS.map(({ code, params }) => {
    const values = params.map((param) => sql`json_extract(${json}, ${sql.raw(`'$.params.${param}'`)})`);
    return sql`when ${sql.raw(`'${code}'`)} then ${sql.join(values, sql` || ': ' || `)}`;
  });
  return sql`case ${codeOf(json)} ${sql.join(whens, sql` `)} else '' end`;
};

/**
 * A row per cause of a case: subject (`about`), key, code, shared part, time. A key held for its own write in doubt is
 * a case of the doubt only. `about` is an expression: with a bare column, SQLite would read all rows in group order.
 */
const CASES: Readonly<Record<StoppedState, (account: string) => Sql>> = {
  held: (account) => sql`select w.flow || '' as about, w.key as key, ${codeOf(sql`one.value`)} as code,
      ${sharedIn(sql`one.value`)} as shared, coalesce(w.held_since_ms, w.since_ms) as since
    from work w inner join json_each(w.hold_reason) as one on true
    where w.state in ('held', 'pending') and w.hold_reason is not null and w.account = ${account}
      and (w.key, ${codeOf(sql`one.value`)}) not in (select key, ${codeOf(sql`evidence`)} from intents
        where state = 'in-doubt' and account = ${account} and evidence <> '')`,
  failed: (account) => sql`select flow as about, key, cause as code, '' as shared, failed_at_ms as since
    from failed_jobs where account = ${account}`,
  'in-doubt': (
    account,
  ) => sql`select kind || '' as about, key, ${codeOf(sql`evidence`)} as code, ${sharedIn(sql`evidence`)} as shared, sent_at_ms as since
    from intents where state = 'in-doubt' and account = ${account} and evidence <> ''`,
  alert: (account) => sql`select substr(${name}, 1, ${colon} - 1) as about, substr(${name}, ${colon} + 1) as key,
      ${codeOf(sql`one.value`)} as code, ${sharedIn(sql`one.value`)} as shared, ${UNKNOWN_MS} as since
    from facts f inner join json_each(f.value) as one on true
    where f.account = ${account} and f.name >= ${ALERTS} and f.name < ${AFTER_ALERTS}`,
};

const findJob = rowBy(failedJobs, 'account', 'flow', 'key');

interface Named {
  readonly account: string;
  readonly about: string;
  readonly key: string;
}

const CAUSES: Readonly<Record<StoppedState, (db: Readable, named: Named) => readonly Cause[]>> = {
  held: (db, { account, about: flow, key }) => findWork(db, { account, flow, key })?.heldFor ?? [],
  failed(db, { account, about: flow, key }) {
    const job = findJob(db, { account, flow, key });
    return job === undefined ? [] : [cause(job.cause, { message: job.message })];
  },
  'in-doubt'(db, { account, about, key }) {
    const isIt = and(eq(intents.account, account), eq(intents.kind, about), eq(intents.key, key));
    const found = rowsWhere(db, intents, and(isIt, eq(intents.state, 'in-doubt')));
    return found.flatMap(({ evidence }) => evidence ?? []);
  },
  alert(db, { account, about, key }) {
    const found = [`${ALERTS}${about}:${key}`, `${ALERTS}${about}`].map((of) => findFact(db, { account, name: of }));
    return found.flatMap((fact) => (fact === undefined ? [] : (JSON.parse(fact.value) as Cause[])));
  },
};

/** All times get the same number of digits, so the smallest text sorts by time and then by key. */
const DIGITS = 1_000_000_000_000_000;
const first = sql<string>`min((${sql.raw(String(DIGITS))} + coalesce(since, 0)) || key)`;

/** Counts the cases in the database, so that only the groups leave it. */
function stoppedGroups(db: Readable, account: string, state: StoppedState): StoppedGroup[] {
  const count = sql<number>`count(distinct key)`;
  const groups = db
    .select({
      about: sql<string>`about`,
      code: sql<string>`code`,
      shared: sql<string>`coalesce(shared, '')`,
      count,
      firstMs: sql<number | null>`min(since)`,
      lastMs: sql<number | null>`max(since)`,
      first,
    })
    .from(sql`(${CASES[state](account)}) as counted`)
    .groupBy(sql`about`, sql`code`, sql`shared`)
    .orderBy(sql`about`, desc(count), sql`code`, sql`shared`)
    .all();
  return groups.flatMap(({ first: named, shared, ...group }) => {
    const key = named.slice(String(DIGITS).length);
    const why = CAUSES[state](db, { account, about: group.about, key }).find(
      (one) => one.code === group.code && (shared === '' || sharedOf(one)?.endsWith(`: ${shared}`) === true),
    );
    return why === undefined ? [] : [{ ...group, key, cause: why }];
  });
}
