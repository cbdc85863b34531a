import { setTimeout as sleep } from 'node:timers/promises';
import { type Handler, Hopeless, type Job, type JobQueue } from '../../src/daemon/queue/queue.ts';
import type { Chance } from '../../src/sandbox/chance.ts';

/**
 * A queue with only the promises that the program may rely on: at most one job of a key waits, any waiting job may be next, a
 * failed job comes again some time, and all jobs may be lost at any moment.
 */
export interface SimulatedQueue extends JobQueue {
  /** Forgets every waiting job. Running jobs go on. */
  wipe(): void;
  work(handler: Handler): void;
  /** Takes no more jobs, and lets running jobs end within the limit. */
  stop(limitMs: number): Promise<void>;
}

const CONCURRENCY = 4;
const MAX_ATTEMPTS = 8;
const STOP_LOOK_MS = 20;

export function createSimulatedQueue(luck: Chance): SimulatedQueue {
  const waiting = new Map<string, { job: Job; attempts: number }>();
  const active = new Map<string, number>();
  let delayed = new Set<object>();
  let handler: Handler | null = null;
  const stopping = new AbortController();

  const identity = ({ account, name, key }: Job) => `${account}/${name}/${key}`;
  const take = (): void => {
    const ready = [...waiting.keys()].filter((id) => !active.has(id));
    const [first, ...rest] = ready;
    if (handler === null || first === undefined || sum(active) >= CONCURRENCY) return;
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
      if (!waiting.has(identity(job))) waiting.set(identity(job), { job, attempts });
      take();
    }, delayMs);
  };
  const run = async (id: string, job: Job, attempt: number): Promise<void> => {
    active.set(id, (active.get(id) ?? 0) + 1);
    const { signal } = stopping;
    try {
      const handled = await handler?.handle(job, { signal, number: attempt, isLast: attempt >= MAX_ATTEMPTS });
      if (handled !== undefined && handled !== 'done') again(job, attempt - 1, handled.delayMs);
    } catch (error) {
      if (!(error instanceof Hopeless) && attempt < MAX_ATTEMPTS) again(job, attempt, luck.whole(500, 2_000 * attempt));
    } finally {
      const left = (active.get(id) ?? 1) - 1;
      if (left === 0) active.delete(id);
      else active.set(id, left);
      setTimeout(take, luck.whole(0, 20));
    }
  };

  return {
    clear: async () => waiting.clear(),
    async enqueue(jobs) {
      for (const job of jobs) {
        const known = waiting.get(identity(job));
        waiting.set(identity(job), { job, attempts: known?.attempts ?? 0 });
      }
      setTimeout(take, luck.whole(0, 20));
    },
    counts: async () => ({
      waiting: waiting.size,
      active: sum(active),
      delayed: delayed.size,
      oldestWaitingMs: waiting.size === 0 ? null : 0,
    }),
    close: async () => {},
    wipe() {
      waiting.clear();
      delayed = new Set();
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

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
