import type { WorkCounts } from '../work.ts';
import { and, asc, eq, sql } from './orm.ts';
import type { Reads } from './part.ts';
import { countOf, rowsWhere } from './queries.ts';
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
    return countOf(db, work, and(eq(work.account, account), eq(work.state, 'pending')));
  },

  pendingSinceMs({ db }, account) {
    const where = and(eq(work.account, account), eq(work.state, 'pending'));
    const oldest = db.select({ sinceMs: sql<number | null>`min(${work.sinceMs})` }).from(work);
    return oldest.where(where).get()?.sinceMs ?? null;
  },

  held({ db }, account) {
    const isHeld = and(eq(work.state, 'held'), account === undefined ? undefined : eq(work.account, account));
    return rowsWhere(db, work, isHeld, { order: [asc(work.sinceMs)], limit: 1000 });
  },

  groups({ db }, account, state) {
    return stoppedGroups(db, account, state);
  },

  heldAfter({ db }, account, after, limit) {
    const isAfter = after === null ? undefined : sql`(${work.flow}, ${work.key}) > (${after.flow}, ${after.key})`;
    const isHeld = and(eq(work.state, 'held'), eq(work.account, account), isAfter);
    return rowsWhere(db, work, isHeld, { order: [asc(work.flow), asc(work.key)], limit });
  },
} satisfies Reads<WorkCounts>;
