import { type ConnectionOptions, DelayedError, Queue, UnrecoverableError, Worker } from 'bullmq';

import type { Lane } from '../../marketplace/quota.ts';
import { within } from '../within.ts';

/** "Look at this": a key and nothing else. A job carries no data that could grow stale. */
export interface Job {
  readonly account: string;
  /** A flow (`order-in`) or a read (`read:orders`). */
  readonly name: string;
  readonly key: string;
  readonly lane: Lane;
}

/** The result of a job's handler: done, or handed back for a while, which does not count as an attempt. */
export type Handled = 'done' | { readonly delayMs: number };

/** A failure that no retry mends: the job ends at once. */
export class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

export interface Handler {
  /** Throws `Hopeless` for a failure that no retry mends; any other error is retried with back-off. */
  handle(job: Job, attempt: { signal: AbortSignal; number: number; isLast: boolean }): Promise<Handled>;
  /** Redis or the worker itself is in trouble. */
  trouble(error: Error): void;
}

const QUEUE_NAME = 'stockbridge';
/** While Redis is away, a worker asks for jobs this often. By default it would pause for 15 seconds each time. */
const ASK_AGAIN_MS = 1_000;
/** Closing waits no longer than this for Redis, which may be gone. */
const CLOSE_LIMIT_MS = 2_000;
const MAX_ATTEMPTS = 8;
const BACKOFF = { type: 'exponential', delay: 1_000, jitter: 0.5 } as const;
const PRIORITY: Readonly<Record<Lane, number>> = { operator: 1, webhook: 2, poll: 3, 'follow-up': 4, backfill: 5 };

/** At most one job of a key runs and one waits. A waiting follow-up does not block a more urgent job. */
function identity({ account, name, key, lane }: Job): string {
  return `${account}/${name}/${key}${lane === 'follow-up' ? '/follow-up' : ''}`;
}

export interface JobQueue {
  /** Forgets every job: the queue is only a signal, and is filled again from the records. */
  clear(): Promise<void>;
  enqueue(jobs: readonly Job[]): Promise<void>;
  counts(): Promise<{ waiting: number; active: number; delayed: number; oldestWaitingMs: number | null }>;
  close(): Promise<void>;
}

/** @param prefix keeps installations that share a Redis apart */
export function createQueue(connection: ConnectionOptions, prefix: string, trouble: (error: Error) => void): JobQueue {
  const queue = new Queue(QUEUE_NAME, { connection, prefix });
  queue.on('error', trouble);
  return {
    clear: () => queue.obliterate({ force: true }),

    async enqueue(jobs) {
      if (jobs.length === 0) return;
      await queue.addBulk(
        jobs.map((job) => ({
          name: job.name,
          data: { account: job.account, key: job.key, lane: job.lane },
          opts: {
            // Every job has a priority: mixed with jobs without one, prioritised jobs would starve.
            priority: PRIORITY[job.lane],
            deduplication: { id: identity(job), keepLastIfActive: true },
            attempts: MAX_ATTEMPTS,
            backoff: BACKOFF,
            // The work that is left and the failures are on record in the database.
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    },

    async counts() {
      const { prioritized = 0, waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts();
      const [oldest] = await queue.getJobs(['prioritized', 'waiting'], 0, 0, true);
      const oldestWaitingMs = oldest === undefined ? null : Math.max(0, Date.now() - oldest.timestamp);
      return { waiting: prioritized + waiting, active, delayed, oldestWaitingMs };
    },

    close: () => queue.close(),
  };
}

export interface Workers {
  /** Stops taking jobs, and waits for the running ones, for `limitMs` at most. Then the jobs that still run are asked to end. */
  stop(limitMs: number): Promise<void>;
}

export function startWorkers(
  connection: ConnectionOptions,
  prefix: string,
  concurrency: number,
  handler: Handler,
): Workers {
  const stopping = new AbortController();
  const inProgress = new Set<Promise<Handled>>();
  const worker = new Worker<Omit<Job, 'name'>>(
    QUEUE_NAME,
    async (job, token) => {
      const number = job.attemptsMade + 1;
      const attempt = { signal: stopping.signal, number, isLast: number >= MAX_ATTEMPTS };
      const running = run(handler, { ...job.data, name: job.name }, attempt);
      inProgress.add(running);
      const handled = await running.finally(() => inProgress.delete(running));
      if (handled === 'done') return;
      await job.moveToDelayed(Date.now() + handled.delayMs, token);
      // This does not count as an attempt.
      throw new DelayedError();
    },
    { connection, prefix, concurrency, runRetryDelay: ASK_AGAIN_MS },
  );
  worker.on('error', handler.trouble);
  return {
    async stop(limitMs) {
      const closed = worker.close().catch(handler.trouble);
      await within(limitMs, Promise.allSettled(inProgress));
      stopping.abort();
      await within(CLOSE_LIMIT_MS, Promise.all([closed, Promise.allSettled(inProgress)]));
    },
  };
}

/** The words of an error do not go to Redis: its files keep them for ever, and they may quote a side about a person. */
const ON_RECORD = 'the database has why';

async function run(handler: Handler, job: Job, attempt: Parameters<Handler['handle']>[1]): Promise<Handled> {
  try {
    return await handler.handle(job, attempt);
  } catch (error) {
    throw error instanceof Hopeless ? new UnrecoverableError(ON_RECORD) : new Error(ON_RECORD);
  }
}
