import { type ConnectionOptions, DelayedError, type Processor, Queue, UnrecoverableError, Worker } from 'bullmq';

import { hasReservedCapacity, LANES, type Lane } from '../../store/work.ts';
import { withTimeout } from '../with-timeout.ts';

/** A key and nothing else: a job has no data that could become outdated. */
export interface Job {
  readonly account: string;
  /** A flow (`order-in`) or a read (`read:orders`). */
  readonly name: string;
  readonly key: string;
  readonly lane: Lane;
}

/** Done, or postponed, which does not count as an attempt. */
export type JobResult = 'done' | { readonly delayMs: number };

export class UnretryableError extends Error {
  override readonly name = 'UnretryableError';
}

export interface Handler {
  /** Throws `UnretryableError` for a failure that no retry fixes. Other errors are retried with back-off. */
  handle(job: Job, attempt: { signal: AbortSignal; number: number; isLast: boolean }): Promise<JobResult>;
  trouble(error: Error): void;
}

/**
 * The most concurrent jobs of an account per partition. Each partition is a queue with its own workers, so a read waits
 * only for a read of the same list, and a new order only for new orders. The numbers are high, because quota and ERP
 * set the limits. There are more slots for reads than reads.
 */
export const PLACES = { reads: 32, first: 32, rest: 32 } as const;
export type Place = keyof typeof PLACES;
export const PLACE_NAMES = Object.keys(PLACES) as readonly Place[];

export function placeOf({ name, lane }: Pick<Job, 'name' | 'lane'>): Place {
  if (name.startsWith('read:')) return 'reads';
  return hasReservedCapacity(lane) ? 'first' : 'rest';
}

function queueName(place: Place): string {
  return `stockbridge-${place}`;
}

/** How often a worker polls while Redis is away. The default would be a pause of 15 seconds. */
const ASK_AGAIN_MS = 1_000;
const CLOSE_LIMIT_MS = 2_000;
const MAX_ATTEMPTS = 8;
const BACKOFF = { type: 'exponential', delay: 1_000, jitter: 0.5 } as const;
/**
 * Few ended jobs stay for queue viewers, because there may be hundreds of accounts. Pending work and failures are in
 * the database.
 */
export const KEPT_JOBS = {
  completed: { count: 100, age: 60 * 60 },
  failed: { count: 100, age: 24 * 60 * 60 },
} as const;
/** BullMQ's priorities start at 1, the most urgent. */
const priorityOf = (lane: Lane): number => LANES.indexOf(lane) + 1;

/** At most one job of a key runs and one waits. A waiting follow-up does not block a more urgent job. */
function identity({ account, name, key, lane }: Job): string {
  return `${account}/${name}/${key}${lane === 'follow-up' ? '/follow-up' : ''}`;
}

export interface JobQueue {
  /** Removes every job. The queue is only a signal, and is filled again from the database. */
  clear(): Promise<void>;
  enqueue(jobs: readonly Job[]): Promise<void>;
  active(): Promise<number>;
  silentFor(ms: number): Promise<Place[]>;
  close(): Promise<void>;
}

/** @param prefix separates installations that share a Redis */
export function createQueue(connection: ConnectionOptions, prefix: string, trouble: (error: Error) => void): JobQueue {
  const queues = PLACE_NAMES.map((place) => ({ place, queue: new Queue(queueName(place), { connection, prefix }) }));
  for (const { queue } of queues) queue.on('error', trouble);
  return {
    async clear() {
      await Promise.all(queues.map(({ queue }) => queue.obliterate({ force: true })));
    },

    async enqueue(jobs) {
      const byPlace = Map.groupBy(jobs, placeOf);
      await Promise.all(queues.map(({ place, queue }) => put(queue, byPlace.get(place) ?? [])));
    },

    async active() {
      const counts = await Promise.all(queues.map(({ queue }) => queue.getActiveCount()));
      return counts.reduce((sum, count) => sum + count, 0);
    },

    async silentFor(ms) {
      const found = await Promise.all(
        queues.map(async ({ place, queue }) => ((await isSilentFor(queue, ms)) ? [place] : [])),
      );
      return found.flat();
    },

    async close() {
      await Promise.all(queues.map(({ queue }) => queue.close()));
    },
  };
}

async function put(queue: Queue, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return;
  await queue.addBulk(
    jobs.map((job) => ({
      name: job.name,
      data: { account: job.account, key: job.key, lane: job.lane },
      opts: {
        // Every job needs a priority: jobs with one would starve next to jobs without.
        priority: priorityOf(job.lane),
        deduplication: { id: identity(job), keepLastIfActive: true },
        attempts: MAX_ATTEMPTS,
        backoff: BACKOFF,
        removeOnComplete: KEPT_JOBS.completed,
        removeOnFail: KEPT_JOBS.failed,
      },
    })),
  );
}

async function isSilentFor(queue: Queue, ms: number): Promise<boolean> {
  if ((await queue.getActiveCount()) > 0) return false;
  const [oldest] = await queue.getJobs(['prioritized', 'waiting'], 0, 0, true);
  return oldest !== undefined && Date.now() - oldest.timestamp >= ms;
}

export interface Workers {
  /** Takes no more jobs and waits at most `limitMs` for the running ones. Then their signal is aborted. */
  stop(limitMs: number): Promise<void>;
}

export function startWorkers(connection: ConnectionOptions, prefix: string, handler: Handler): Workers {
  const stopping = new AbortController();
  const inProgress = new Set<Promise<JobResult>>();
  const work: Processor<Omit<Job, 'name'>> = async (job, token) => {
    const number = job.attemptsMade + 1;
    const attempt = { signal: stopping.signal, number, isLast: number >= MAX_ATTEMPTS };
    const running = run(handler, { ...job.data, name: job.name }, attempt);
    inProgress.add(running);
    const handled = await running.finally(() => inProgress.delete(running));
    if (handled === 'done') return;
    await job.moveToDelayed(Date.now() + handled.delayMs, token);
    // This does not count as an attempt.
    throw new DelayedError();
  };
  const workers = PLACE_NAMES.map((place) => {
    const concurrency = PLACES[place];
    const worker = new Worker(queueName(place), work, { connection, prefix, concurrency, runRetryDelay: ASK_AGAIN_MS });
    worker.on('error', handler.trouble);
    return worker;
  });
  return {
    async stop(limitMs) {
      const closed = Promise.all(workers.map((worker) => worker.close())).catch(handler.trouble);
      await withTimeout(limitMs, Promise.allSettled(inProgress));
      stopping.abort();
      await withTimeout(CLOSE_LIMIT_MS, Promise.all([closed, Promise.allSettled(inProgress)]));
    },
  };
}

/** Error messages stay out of Redis, whose files keep them for ever: they may quote personal data. */
const ON_RECORD = 'the database has why';

async function run(handler: Handler, job: Job, attempt: Parameters<Handler['handle']>[1]): Promise<JobResult> {
  try {
    return await handler.handle(job, attempt);
  } catch (error) {
    throw error instanceof UnretryableError ? new UnrecoverableError(ON_RECORD) : new Error(ON_RECORD);
  }
}
