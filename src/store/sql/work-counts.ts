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
    const [firstMs, lastMs] = [sql<number>`min(${since})`, sql<number>`max(${since})`];
    const groups = db
      .select({ flow: work.flow, code, count, firstMs, lastMs })
      .from(work)
      .innerJoin(causes, sql`true`)
      .where(isHeld)
      .groupBy(work.flow, code)
      .orderBy(asc(work.flow), desc(count), code)
      .all();
    const place = sql`row_number() over (partition by ${work.flow}, ${code} order by ${since}, ${work.key}) as place`;
    const first = db
      .select({ flow: sql<string>`flow`, code: sql<string>`code`, key: sql<string>`key`, cause: sql<string>`cause` })
      .from(
        sql`(select ${work.flow} as flow, ${code} as code, ${work.key} as key, one.value as cause, ${place}
          from ${work} inner join ${causes} on true where ${isHeld}) as held`,
      )
      .where(sql`place = 1`)
      .all();
    const firstOf = new Map(first.map((row) => [`${row.flow} ${row.code}`, row]));
    return groups.flatMap((group) => {
      const shown = firstOf.get(`${group.flow} ${group.code}`);
      return shown === undefined ? [] : [{ ...group, key: shown.key, cause: JSON.parse(shown.cause) as Cause }];
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
