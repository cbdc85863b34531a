import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Handler,
  type Job,
  type JobQueue,
  PLACE_NAMES,
  type Place,
  placeOf,
  UnretryableError,
} from '../../src/daemon/queue/queue.ts';
import type { Chance } from '../../src/sandbox/chance.ts';

/**
 * A queue with only the promises that the program may rely on: at most one job of a key waits in a place, any waiting job of the
 * place may be next, no job takes a worker from another place, a failed job comes again some time, and all jobs may be lost at any
 * moment.
 */
export interface SimulatedQueue extends JobQueue {
  /** Forgets every waiting job. Running jobs go on. */
  wipe(): void;
  work(handler: Handler): void;
  /** Takes no more jobs, and lets running jobs end within the limit. */
  stop(limitMs: number): Promise<void>;
}

/** How many jobs run at once in each place. Reads have a worker for each list. */
const CONCURRENCY: Readonly<Record<Place, number>> = { reads: 32, first: 4, rest: 4 };
const MAX_ATTEMPTS = 8;
const STOP_LOOK_MS = 20;

export function createSimulatedQueue(luck: Chance): SimulatedQueue {
  const waiting = new Map<string, { job: Job; attempts: number }>();
  const active = new Map<string, { readonly place: Place; readonly count: number }>();
  let delayed = new Set<object>();
  /** Jobs that were handed back. The queue takes no second one of them until they come again. */
  let handedBack = new Set<string>();
  let handler: Handler | null = null;
  const stopping = new AbortController();

  const identity = (job: Job) => `${placeOf(job)}/${job.account}/${job.name}/${job.key}`;
  const take = (): void => {
    for (const place of PLACE_NAMES) takeIn(place);
  };
  const takeIn = (place: Place): void => {
    const ready = [...waiting].filter(([id, { job }]) => placeOf(job) === place && !active.has(id)).map(([id]) => id);
    const [first, ...rest] = ready;
    if (handler === null || first === undefined || sum(active, place) >= CONCURRENCY[place]) return;
    const id = luck.pick([first, ...rest]);
    const next = waiting.get(id);
    waiting.delete(id);
    if (next !== undefined) void run(id, next.job, next.attempts + 1);
    setTimeout(take, luck.whole(0, 20));
  };
  const again = (job: Job, attempts: number, delayMs: number): void => {
    const mark = {};
    delayed.add(mark);
    setTimeout(() => {
      if (!delayed.delete(mark)) return;
      handedBack.delete(identity(job));
      if (!waiting.has(identity(job))) waiting.set(identity(job), { job, attempts });
      take();
    }, delayMs);
  };
  const handBack = (id: string, job: Job, attempts: number, delayMs: number): void => {
    if (handedBack.has(id)) return;
    handedBack.add(id);
    again(job, attempts, delayMs);
  };
  const run = async (id: string, job: Job, attempt: number): Promise<void> => {
    const place = placeOf(job);
    active.set(id, { place, count: (active.get(id)?.count ?? 0) + 1 });
    const { signal } = stopping;
    try {
      const handled = await handler?.handle(job, { signal, number: attempt, isLast: attempt >= MAX_ATTEMPTS });
      if (handled !== undefined && handled !== 'done') handBack(id, job, attempt - 1, handled.delayMs);
    } catch (error) {
      if (!(error instanceof UnretryableError) && attempt < MAX_ATTEMPTS)
        again(job, attempt, luck.whole(500, 2_000 * attempt));
    } finally {
      const count = (active.get(id)?.count ?? 1) - 1;
      if (count === 0) active.delete(id);
      else active.set(id, { place, count });
      setTimeout(take, luck.whole(0, 20));
    }
  };

  return {
    clear: async () => waiting.clear(),
    async enqueue(jobs) {
      for (const job of jobs.filter((one) => !handedBack.has(identity(one)))) {
        const known = waiting.get(identity(job));
        waiting.set(identity(job), { job, attempts: known?.attempts ?? 0 });
      }
      setTimeout(take, luck.whole(0, 20));
    },
    active: async () => sum(active),
    silentFor: async () => [],
    close: async () => {},
    wipe() {
      waiting.clear();
      delayed = new Set();
      handedBack = new Set();
      // A wiped queue does not know the running jobs any more, so the same key may be handed out a second time.
      active.clear();
    },
    work(given) {
      handler = given;
      take();
    },
    async stop(limitMs) {
      handler = null;
      const endMs = performance.now() + limitMs;
      while (sum(active) > 0 && performance.now() < endMs) await sleep(STOP_LOOK_MS);
      stopping.abort();
    },
  };
}

function sum(active: ReadonlyMap<string, { readonly place: Place; readonly count: number }>, of?: Place): number {
  const counted = [...active.values()].filter(({ place }) => of === undefined || place === of);
  return counted.reduce((total, { count }) => total + count, 0);
}
