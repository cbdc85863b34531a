import { Cron } from 'croner';
import { pollAfterMs } from '../domain/webhook-loss.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { collectionsRead } from '../flows/flows.ts';
import type { Log } from '../logging/logging.ts';
import { COLLECTIONS, changesOf, fullReads, startReads } from '../shadow/collections.ts';
import { lastRead } from '../shadow/last-read.ts';
import { webhookSilenceMs } from '../shadow/webhook-watch.ts';
import type { Lane } from '../store/work.ts';
import type { JobQueue } from './queue/queue.ts';

const PACE_LOOK_MS = 15_000;
/** The time between polls is at least this many times the last read's duration, to leave time for other work. */
const READ_SHARE = 5;
/** The most by which a read that waited for the quota delays the next poll. */
const LATEST_POLL_MS = 15_000;

/** If one list is refused and others are not, a side seems to come back again and again. */
const BACK_AGAIN_MS = 15_000;

/**
 * Reads every list when a side answers again. Otherwise a list whose last read failed would stay late until its next
 * regular read.
 */
export function readAfterOutage(
  find: (account: string) => { readonly context: Pick<Polled, 'config'>; readonly queue: Queue } | undefined,
  log: Log,
): (account: string) => void {
  const lastMs = new Map<string, number>();
  return (account) => {
    const found = find(account);
    const nowMs = performance.now();
    if (found === undefined || nowMs - (lastMs.get(account) ?? Number.NEGATIVE_INFINITY) < BACK_AGAIN_MS) return;
    lastMs.set(account, nowMs);
    const enqueue = enqueuer(found.queue, account, log);
    for (const collection of collectionsRead(found.context.config))
      enqueue({ name: changesOf(collection), lane: 'poll' });
  };
}

function enqueuer(queue: Queue, account: string, log: Log) {
  return (job: { readonly name: string; readonly lane: Lane }): void => {
    queue
      .enqueue([{ account, key: 'all', ...job }])
      .catch((error: unknown) => log.warn({ account, read: job.name, err: error }, 'not queued'));
  };
}

type Queue = Pick<JobQueue, 'enqueue'>;
type Polled = Pick<AccountContext, 'account' | 'config' | 'store' | 'now'>;

/** The poller queues a read when it is due. Reads of a collection that is still being read become one. */
export function startSchedule(context: Polled, queue: Queue, log: Log): { stop(): void } {
  const { config } = context;
  const { name, marketplace } = config;
  const collections = collectionsRead(config);
  const enqueue = enqueuer(queue, name, log);
  for (const read of startReads(collections)) enqueue({ name: read, lane: 'poll' });
  const polls = collections.map((collection) => {
    const everyMs = COLLECTIONS[collection].everyMs(config);
    const read = () => enqueue({ name: changesOf(collection), lane: 'poll' });
    const { webhooks } = COLLECTIONS[collection];
    if (webhooks === undefined) {
      const timer = setInterval(read, everyMs);
      return { stop: () => clearInterval(timer) };
    }
    const silentForMs = () => webhookSilenceMs(context, webhooks).catch(() => null);
    const afterMs = async () =>
      Math.max(pollAfterMs(everyMs, marketplace.limits, await silentForMs()), await readShareMs(context, webhooks));
    return startPaced(afterMs, read);
  });
  const full = new Cron(marketplace.poll.full, { timezone: 'UTC' }, () => {
    for (const read of [...fullReads(collections), 'read:everything']) enqueue({ name: read, lane: 'backfill' });
  });
  return {
    stop() {
      full.stop();
      for (const poll of polls) poll.stop();
    },
  };
}

async function readShareMs(context: Polled, kind: 'orders' | 'products'): Promise<number> {
  const last = await lastRead(context, kind === 'orders' ? 'orders' : 'listings').catch(() => null);
  return Math.min(READ_SHARE * (last?.tookMs ?? 0), LATEST_POLL_MS);
}

/** `afterMs` is asked again during the wait, so polls become frequent soon after webhooks stop. */
function startPaced(afterMs: () => Promise<number>, work: () => void): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let lastMs = performance.now();
  const look = async (): Promise<void> => {
    const everyMs = await afterMs();
    if (stopped) return;
    if (performance.now() - lastMs >= everyMs) {
      lastMs = performance.now();
      work();
    }
    const leftMs = lastMs + everyMs - performance.now();
    timer = setTimeout(() => void look(), Math.ceil(Math.min(leftMs, PACE_LOOK_MS)));
  };
  void look();
  return {
    stop: () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
