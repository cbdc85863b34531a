import { Cron } from 'croner';
import { pollAfterMs } from '../domain/webhook-loss.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import type { Log } from '../logging.ts';
import type { Lane } from '../marketplace/quota.ts';
import { webhookSilenceMs } from '../shadow/webhook-watch.ts';
import type { JobQueue } from './queue/queue.ts';

/** So often it is looked whether something is due. */
const NAMES_LOOK_MS = 60 * 60_000;
const IMAGES_LOOK_MS = 60_000;
const PACE_LOOK_MS = 15_000;

type Polled = Pick<AccountContext, 'account' | 'config' | 'store' | 'now'>;

/**
 * The poller: puts "read this" on the queue when it is time, and nothing else. Reads of a collection that is still being
 * read become one.
 */
export function startSchedule(accounts: readonly Polled[], queue: Pick<JobQueue, 'enqueue'>, log: Log) {
  const timers: NodeJS.Timeout[] = [];
  const paced: { stop(): void }[] = [];
  const crons: Cron[] = [];

  for (const context of accounts) {
    const { name, marketplace, erp, customers, products, payments, facilities } = context.config;
    const read = (collection: string, lane: Lane) => {
      const job = { account: name, name: `read:${collection}`, key: 'all', lane };
      queue.enqueue([job]).catch((error: unknown) => log.warn({ account: name, collection, err: error }, 'not queued'));
    };
    const every = (ms: number, collection: string) => {
      timers.push(setInterval(() => read(collection, 'poll'), ms));
    };
    const atPace = (ms: number, kind: 'orders' | 'products') => {
      const silentForMs = () => webhookSilenceMs(context, kind).catch(() => null);
      const afterMs = async () => pollAfterMs(ms, marketplace.limits, await silentForMs());
      paced.push(startPaced(afterMs, () => read(kind, 'poll')));
    };
    const everything = () => {
      const more = [
        ...(customers === null ? [] : ['all-erp-customers', 'all-customers']),
        ...(payments === null ? [] : ['all-payments']),
      ];
      for (const collection of [
        'all-erp-products',
        'all-erp-stock',
        'late-orders',
        'all-products',
        ...more,
        'everything',
      ])
        read(collection, 'backfill');
    };
    // Both ask only for what is due.
    if (products.references.length > 0) {
      read('names', 'poll');
      every(Math.min(products.namesEveryMs, NAMES_LOOK_MS), 'names');
    }
    if (products.images !== null) every(Math.min(products.images.recheckMs, IMAGES_LOOK_MS), 'images');
    // First the ERP's products, then the orders, then the listings, whose figures the orders explain.
    for (const collection of ['all-erp-products', 'erp-stock', 'erp-orders', 'orders', 'products'])
      read(collection, 'poll');
    atPace(marketplace.poll.ordersMs, 'orders');
    atPace(marketplace.poll.productsMs, 'products');
    for (const collection of ['erp-products', 'erp-stock', 'erp-orders']) every(erp.pollMs, collection);
    if (facilities !== null) {
      read('measurements', 'poll');
      every(facilities.pollMs, 'measurements');
    }
    if (customers !== null) {
      for (const collection of ['erp-customers', 'customers']) read(collection, 'poll');
      every(customers.pollMs, 'customers');
      every(erp.pollMs, 'erp-customers');
    }
    if (payments !== null) {
      for (const collection of ['payments', 'erp-payments']) read(collection, 'poll');
      every(payments.pollMs, 'payments');
      every(erp.pollMs, 'erp-payments');
    }
    crons.push(new Cron(marketplace.poll.full, { timezone: 'UTC' }, everything));
  }

  return {
    stop(): void {
      for (const timer of timers) clearInterval(timer);
      for (const one of paced) one.stop();
      for (const cron of crons) cron.stop();
    },
  };
}

/**
 * Does something again and again, each time after as long as it is said to take, which is asked again meanwhile: silent
 * webhooks make polls tighter at once.
 */
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
