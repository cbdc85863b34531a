import { type FailedJob, type FailedJobStore, laneOfAct } from '../work.ts';
import { addActs } from './journal.ts';
import { and, asc, eq, inArray, lt, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { deleteWhere, folded, rowsWhere } from './queries.ts';
import { beginReplay, endReplay } from './replays.ts';
import { failedJobs, work } from './tables/work.ts';
import { findWork, isWork, markAllAfresh } from './work.ts';

const MAX_FAILED = 10_000;

const REPLAYED = 'replayed by an operator';
const isReplayed = and(eq(work.state, 'pending'), eq(work.reason, REPLAYED));

export const failedJobReads = {
  failed({ db }, where = {}) {
    const { account, ids, flow, key, failedBeforeMs, after, error, limit = MAX_FAILED } = where;
    const { id, cause, message, failedAtMs } = failedJobs;
    const isAsked = and(
      account === undefined ? undefined : eq(failedJobs.account, account),
      ids === undefined ? undefined : inArray(id, [...ids]),
      flow === undefined ? undefined : eq(failedJobs.flow, flow),
      key === undefined ? undefined : eq(failedJobs.key, key),
      failedBeforeMs === undefined ? undefined : lt(failedAtMs, failedBeforeMs),
      after === undefined ? undefined : sql`(${failedAtMs}, ${id}) > (${after.failedAtMs}, ${after.id})`,
      error === undefined ? undefined : sql`instr(lower(${cause} || ' ' || ${message}), ${folded(error)}) > 0`,
    );
    const order = [asc(failedAtMs), asc(id)];
    return rowsWhere(db, failedJobs, isAsked, { order, limit: Math.min(limit, MAX_FAILED) });
  },
} satisfies Reads<FailedJobStore>;

export const failedJobWrites = {
  replay({ tx, nowMs }, jobs, by) {
    return jobs.map((job) => {
      const before = findWork(tx, { account: job.account, flow: job.flow, key: job.key });
      // An entity that changed since its job failed is processed anyway.
      const reason = before?.state === 'pending' ? before.reason : REPLAYED;
      markAllAfresh(tx, [job], laneOfAct(jobs.length), reason, nowMs);
      return beginReplay(tx, actOn(job), by, nowMs);
    });
  },

  discard({ tx, nowMs }, jobs, by) {
    for (const job of jobs) {
      tx.delete(failedJobs).where(eq(failedJobs.id, job.id)).run();
      deleteWhere(tx, work, and(isWork(job), or(eq(work.state, 'failed'), isReplayed)));
      endReplay(tx, job, () => ({ state: 'discarded', told: 'discarded' }), nowMs);
      addActs(tx, [{ ...actOn(job), action: 'job.discard', after: null, by }], nowMs);
    }
  },
} satisfies Writes<FailedJobStore>;

function actOn(job: FailedJob) {
  const { account, flow, key, cause, message } = job;
  return { account, flow, key, target: `failed job ${job.id}`, before: `${cause}: ${message}` };
}
