import type { WorkCounts } from '../work.ts';
import { and, asc, eq, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { stoppedGroups } from './stopped-groups.ts';
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

  pendingSinceMs({ db }, account) {
    const where = and(eq(work.account, account), eq(work.state, 'pending'));
    const found = db
      .select({ sinceMs: sql<number | null>`min(${work.sinceMs})` })
      .from(work)
      .where(where)
      .get();
    return found?.sinceMs ?? null;
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

  groups({ db }, account, state) {
    return stoppedGroups(db, account, state);
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
