import type { Cause } from '../../domain/causes/cause.ts';
import type { WorkCounts } from '../work.ts';
import { and, asc, desc, eq, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { work } from './tables/work.ts';

export const workCountReads = {
  counts({ db }) {
    return db
      .select({
        account: work.account,
        flow: work.flow,
        state: work.state,
        count: sql<number>`count(*)`,
        oldestMs: sql<number>`min(${work.sinceMs})`,
      })
      .from(work)
      .groupBy(work.account, work.flow, work.state)
      .all();
  },

  pending({ db }, account) {
    const where = and(eq(work.account, account), eq(work.state, 'pending'));
    return db.select({ count: sql<number>`count(*)` }).from(work).where(where).get()?.count ?? 0;
  },

  held({ db }, account) {
    return db
      .select()
      .from(work)
      .where(and(eq(work.state, 'held'), account === undefined ? undefined : eq(work.account, account)))
      .orderBy(asc(work.sinceMs))
      .limit(1000)
      .all();
  },

  heldGroups({ db }, account) {
    const code = sql<string>`json_extract(one.value, '$.code')`;
    const count = sql<number>`count(distinct ${work.key})`;
    const since = sql`coalesce(${work.heldSinceMs}, ${work.sinceMs})`;
    const causes = sql`json_each(${work.heldFor}) as one`;
    const isHeld = and(eq(work.state, 'held'), eq(work.account, account));
    const firstMs = sql<number>`min(${since})`;
    const rows = db
      .select({ flow: work.flow, code, count, key: work.key, cause: sql<string>`one.value`, firstMs })
      .from(work)
      .innerJoin(causes, sql`true`)
      .where(isHeld)
      .groupBy(work.flow, code)
      .orderBy(asc(work.flow), desc(count), code)
      .all();
    // Asked by itself: beside the minimum, a maximum would leave open which row gives the other columns.
    const last = db
      .select({ flow: work.flow, code, lastMs: sql<number>`max(${since})` })
      .from(work)
      .innerJoin(causes, sql`true`)
      .where(isHeld)
      .groupBy(work.flow, code)
      .all();
    const lastOf = new Map(last.map((row) => [`${row.flow} ${row.code}`, row.lastMs]));
    // The row of a group's minimum gives the group its other columns (SQLite, "Bare columns in an aggregate query").
    return rows.map(({ code: of, count: many, cause, ...row }) => {
      const lastMs = lastOf.get(`${row.flow} ${of}`) ?? row.firstMs;
      return { ...row, code: of, count: many, cause: JSON.parse(cause) as Cause, lastMs };
    });
  },

  heldAfter({ db }, account, after, limit) {
    const isAfter = after === null ? undefined : sql`(${work.flow}, ${work.key}) > (${after.flow}, ${after.key})`;
    return db
      .select()
      .from(work)
      .where(and(eq(work.state, 'held'), eq(work.account, account), isAfter))
      .orderBy(asc(work.flow), asc(work.key))
      .limit(limit)
      .all();
  },
} satisfies Reads<WorkCounts>;
