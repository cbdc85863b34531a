import type { Log } from '../../logging/logging.ts';
import type { Store } from '../../store/store.ts';
import type { Lane } from '../../store/work.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Ticks } from './ticks.ts';

/** The most keys queued ahead of the workers, most urgent first. */
const WINDOW = 1_000;
/** With this many queued keys, the next ones may wait for the next tick. */
const ENOUGH = 128;
/**
 * The most queued keys that only wait for the quota. With looks that do their own follow-up, they leave a quarter of
 * the workers free for urgent work.
 */
const FOLLOW_UPS = 12;
const POKE_DELAY_MS = 10;
const FILLING_SHARE = 0.2;
/** How often every pending key is queued again, which restores keys that Redis lost. */
const REBUILD_EVERY_MS = 15_000;
/** A smaller step back is a normal correction of the clock, and delays waiting work by no more than this. */
const SET_BACK_MS = 1_000;

interface Filled {
  readonly account: string;
  readonly store: Store;
  readonly queue: JobQueue;
  readonly log: Log;
  readonly now: () => number;
  readonly ticks: Ticks;
}

/**
 * The store is the truth: a pending key is queued once, again after its job has ended, and with all pending keys from
 * time to time.
 */
export function startFilling(filled: Filled) {
  const { account: filledFor, store, queue, log, now, ticks } = filled;
  /** The lanes of the queued keys. A key whose lane changes is queued once more: it may have become urgent. */
  const queued = new Map<string, Lane>();
  let pauseMs = POKE_DELAY_MS;
  let rebuiltAtMs = now();
  let latestMs = rebuiltAtMs;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const fill = async (): Promise<void> => {
    const nowMs = now();
    if (nowMs < latestMs - SET_BACK_MS) {
      await forgetFuture(filled);
      queued.clear();
    }
    latestMs = nowMs;
    if (Math.abs(nowMs - rebuiltAtMs) > REBUILD_EVERY_MS) {
      queued.clear();
      rebuiltAtMs = nowMs;
    }
    const startedMs = performance.now();
    const due = await store.work.due(filledFor, WINDOW, FOLLOW_UPS);
    const fresh = due.filter((row) => queued.get(identity(row)) !== row.lane);
    // Keys are noted before they are queued: a job that ends at once must not leave its key noted as queued.
    for (const row of fresh) queued.set(identity(row), row.lane);
    const enqueued = queue.enqueue(fresh.map(({ account, flow, key, lane }) => ({ account, name: flow, key, lane })));
    // Redis's time is not counted, because it costs this process nothing.
    pauseMs = Math.max(POKE_DELAY_MS, (performance.now() - startedMs) / FILLING_SHARE);
    await enqueued;
  };

  const run = (): void => {
    if (stopped) return;
    if (running !== null) {
      again = true;
      return;
    }
    running = fill()
      .catch((error: unknown) => {
        queued.clear();
        log.warn({ err: error }, 'the queue could not be filled; it is tried again');
      })
      .finally(() => {
        running = null;
        if (!again) return;
        again = false;
        poke();
      });
  };
  let poked: NodeJS.Timeout | null = null;
  const poke = (): void => {
    poked ??= setTimeout(() => {
      poked = null;
      run();
    }, pauseMs);
  };
  const leave = ticks.join(filledFor, (isDue) => {
    const nowMs = now();
    if (isDue || nowMs < latestMs - SET_BACK_MS) run();
    else latestMs = nowMs;
  });

  return {
    /** Called when a job of this key has ended. A key that is still pending is queued again. */
    ended(key: { account: string; flow: string; key: string }): void {
      // A read may mark keys more urgent than all queued ones.
      const wasRead = !queued.delete(identity(key));
      if (wasRead || queued.size < ENOUGH) poke();
    },
    /** Does not wait for keys that are being queued: they are stored, and without Redis the wait would never end. */
    stop(): void {
      stopped = true;
      leave();
      if (poked !== null) clearTimeout(poked);
    },
  };
}

/** After the clock was set back, no work may wait until it has caught up. */
async function forgetFuture({ account, store, queue, log }: Filled): Promise<void> {
  log.warn({ account }, 'the clock was set back: what waits for a later time is looked at now');
  await store.restampFuture(account);
  // Delayed jobs also wait for a time of this clock.
  await queue.clear();
}

function identity(row: { account: string; flow: string; key: string }): string {
  return `${row.account}/${row.flow}/${row.key}`;
}
