import type { Log } from '../logging.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Store } from '../store/store.ts';

const BATCH = 500;
const MAX_BATCHES = 40;
const POKE_DELAY_MS = 10;
/** Everything is put on the queue again this often: what Redis lost comes back by itself. */
const REBUILD_EVERY_MS = 15_000;
const TICK_MS = 250;

/**
 * Keeps the queue filled from what is on record. SQLite is the truth: a key that is pending there is put on the queue
 * once for each of its versions, and all of them again from time to time.
 */
export function startFilling({
  store,
  queue,
  log,
  now,
}: {
  store: Store;
  queue: JobQueue;
  log: Log;
  now: () => number;
}) {
  let queued = new Map<string, number>();
  let rebuiltAtMs = now();
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;

  const fill = async (): Promise<void> => {
    if (Math.abs(now() - rebuiltAtMs) > REBUILD_EVERY_MS) {
      queued = new Map();
      rebuiltAtMs = now();
    }
    const seen = new Map<string, number>();
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const due = await store.work.due(BATCH, batch * BATCH);
      const fresh = due.filter((row) => queued.get(identity(row)) !== row.version);
      await queue.enqueue(fresh.map(({ account, flow, key, lane }) => ({ account, name: flow, key, lane })));
      for (const row of due) seen.set(identity(row), row.version);
      if (due.length < BATCH) break;
    }
    queued = seen;
  };

  const run = (): void => {
    if (stopped) return;
    if (running !== null) {
      again = true;
      return;
    }
    running = fill()
      .catch((error: unknown) => {
        queued = new Map();
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
    }, POKE_DELAY_MS);
  };
  const ticking = setInterval(run, TICK_MS);

  return {
    /** Something was marked. */
    poke,
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(ticking);
      if (poked !== null) clearTimeout(poked);
      await running;
    },
  };
}

function identity(row: { account: string; flow: string; key: string }): string {
  return `${row.account}/${row.flow}/${row.key}`;
}
