import type { Database } from './database.ts';
import { addActs } from './journal.ts';
import { and, asc, eq, inArray, lt, or, sql } from './orm.ts';
import { beginReplay, endReplay } from './replays.ts';
import { failedJobs, work } from './tables/work.ts';
import { findWork, isWork, markWork } from './work.ts';

export type FailedJob = typeof failedJobs.$inferSelect;

/** Which of the failed jobs. */
export interface FailedJobs {
  readonly account?: string;
  readonly flow?: string;
  readonly key?: string;
  readonly error?: string;
  readonly ids?: readonly number[];
  /** Epoch milliseconds. */
  readonly failedBeforeMs?: number;
  /** At most so many, the oldest. */
  readonly limit?: number;
}

const MAX_FAILED = 10_000;

const REPLAYED = 'replayed by an operator';
const isReplayed = and(eq(work.state, 'pending'), eq(work.reason, REPLAYED));

/** Dead letters: they stay until a look succeeds, or an operator discards them. */
export function failedJobStore(db: Database, now: () => number) {
  return {
    /** Failed jobs, oldest first, at most 10,000 of them; `error` is part of their cause or message. */
    async failed(where: FailedJobs = {}): Promise<FailedJob[]> {
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
            where.error === undefined
              ? undefined
              : sql`instr(lower(${failedJobs.cause} || ' ' || ${failedJobs.message}), lower(${where.error})) > 0`,
          ),
        )
        .orderBy(asc(failedJobs.failedAtMs), asc(failedJobs.id))
        .limit(Math.min(where.limit ?? MAX_FAILED, MAX_FAILED))
        .all();
    },

    /**
     * Looks at both sides afresh; the failed job stays listed until that look succeeds. What came of it is told in the
     * audit log. Answers the ids of the acts there, in the order of the jobs.
     */
    async replay(jobs: readonly FailedJob[], by: string): Promise<number[]> {
      return db.transaction((tx) =>
        jobs.map((job) => {
          const before = findWork(tx, { account: job.account, flow: job.flow, key: job.key });
          // What has changed since it failed is looked at in any case.
          markWork(tx, job, 'backfill', before?.state === 'pending' ? before.reason : REPLAYED, now());
          return beginReplay(tx, actOn(job), by, now());
        }),
      );
    },

    /** Forgets them, and takes back a replay that has not come to its end. */
    async discard(jobs: readonly FailedJob[], by: string): Promise<void> {
      await db.transaction((tx) => {
        for (const job of jobs) {
          tx.delete(failedJobs).where(eq(failedJobs.id, job.id)).run();
          tx.delete(work)
            .where(and(isWork(job), or(eq(work.state, 'failed'), isReplayed)))
            .run();
          endReplay(tx, job, () => 'discarded', now());
          addActs(tx, [{ ...actOn(job), action: 'job.discard', after: null, by }], now());
        }
      });
    },
  };
}

function actOn(job: FailedJob) {
  const { account, flow, key, cause, message } = job;
  return { account, flow, key, target: `failed job ${job.id}`, before: `${cause}: ${message}` };
}
