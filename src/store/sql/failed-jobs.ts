import type { FailedJob, FailedJobStore } from '../work.ts';
import { addActs } from './journal.ts';
import { and, asc, eq, inArray, lt, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { beginReplay, endReplay } from './replays.ts';
import { failedJobs, work } from './tables/work.ts';
import { findWork, isWork, markWork } from './work.ts';

const MAX_FAILED = 10_000;

const REPLAYED = 'replayed by an operator';
const isReplayed = and(eq(work.state, 'pending'), eq(work.reason, REPLAYED));

export const failedJobReads = {
  failed({ db }, where = {}) {
    return db
      .select()
      .from(failedJobs)
      .where(
        and(
          where.account === undefined ? undefined : eq(failedJobs.account, where.account),
          where.ids === undefined ? undefined : inArray(failedJobs.id, [...where.ids]),
          where.flow === undefined ? undefined : eq(failedJobs.flow, where.flow),
          where.key === undefined ? undefined : eq(failedJobs.key, where.key),
          where.failedBeforeMs === undefined ? undefined : lt(failedJobs.failedAtMs, where.failedBeforeMs),
          where.after === undefined
            ? undefined
            : sql`(${failedJobs.failedAtMs}, ${failedJobs.id}) > (${where.after.failedAtMs}, ${where.after.id})`,
          where.error === undefined
            ? undefined
            : sql`instr(lower(${failedJobs.cause} || ' ' || ${failedJobs.message}), lower(${where.error})) > 0`,
        ),
      )
      .orderBy(asc(failedJobs.failedAtMs), asc(failedJobs.id))
      .limit(Math.min(where.limit ?? MAX_FAILED, MAX_FAILED))
      .all();
  },
} satisfies Reads<FailedJobStore>;

export const failedJobWrites = {
  replay({ tx, nowMs }, jobs, by) {
    return jobs.map((job) => {
      const before = findWork(tx, { account: job.account, flow: job.flow, key: job.key });
      // An entity that changed since its job failed is looked at anyway.
      markWork(tx, job, 'backfill', before?.state === 'pending' ? before.reason : REPLAYED, nowMs);
      return beginReplay(tx, actOn(job), by, nowMs);
    });
  },

  discard({ tx, nowMs }, jobs, by) {
    for (const job of jobs) {
      tx.delete(failedJobs).where(eq(failedJobs.id, job.id)).run();
      tx.delete(work)
        .where(and(isWork(job), or(eq(work.state, 'failed'), isReplayed)))
        .run();
      endReplay(tx, job, () => ({ state: 'discarded', told: 'discarded' }), nowMs);
      addActs(tx, [{ ...actOn(job), action: 'job.discard', after: null, by }], nowMs);
    }
  },
} satisfies Writes<FailedJobStore>;

function actOn(job: FailedJob) {
  const { account, flow, key, cause, message } = job;
  return { account, flow, key, target: `failed job ${job.id}`, before: `${cause}: ${message}` };
}
