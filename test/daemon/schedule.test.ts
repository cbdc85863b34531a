import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AccountConfig } from '../../src/config/resolve.ts';
import { startSchedule } from '../../src/daemon/schedule.ts';
import { startHousekeeping } from '../../src/daemon/worker/housekeeping.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { recordReadTime } from '../../src/shadow/last-read.ts';
import { watchRead } from '../../src/shadow/webhook-watch.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const log = createLogger({ level: 'silent', secrets: [] });
const shelf = useShelf();
const stopping: (() => void)[] = [];
beforeEach(() => {
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;
  vi.useFakeTimers({ now: DAY, toFake: [...timers] });
});
afterEach(() => {
  for (const stop of stopping.splice(0)) stop();
  vi.useRealTimers();
});

const STEP_MS = 500;
/** Rows that the store takes in one turn of the loop are on record this many turns later. */
const TURNS = 20;
/** The most transactions that a step makes one after the other. */
const DISK_WAITS = 3;

/** Lets time pass, and lets the work of each moment come to its end. */
async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(STEP_MS, ms - passedMs));
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    // Transactions are answered in their order, once they are on the disk, which takes real time.
    for (let wait = 0; wait < DISK_WAITS; wait += 1) await shelf().store.facts.set('main', 'passed', String(passedMs));
  }
}

const config = (poll?: object, webhooks?: object): AccountConfig =>
  accountConfig({
    marketplace: {
      base_url: 'http://marketplace.test',
      auth: { scheme: 'app', key: 'a-key' },
      seller_id: 4711,
      ...(poll && { poll }),
      ...(webhooks && { webhooks }),
    },
  });

interface Played {
  readonly context: AccountContext;
  /** The times of the reads of each kind, in ms since the start. */
  readonly reads: Readonly<Record<'orders' | 'products', number[]>>;
}

/** The daemon's timers, with reads that take a moment and show the changes until then. */
function play(account: AccountConfig, changed: Partial<Record<string, string[]>> = {}): Played {
  const startMs = Date.now();
  const context = { ...accountContext(shelf().store, account), now: Date.now };
  const reads: Played['reads'] = { orders: [], products: [] };
  const lastReadMs: Partial<Record<string, number>> = {};
  const read = async (kind: 'orders' | 'products') => {
    reads[kind].push(Date.now() - startMs);
    const watch = await watchRead(context, kind, [], lastReadMs[kind] ?? null);
    // The first read after a start is slower.
    await new Promise((resolve) => setTimeout(resolve, reads[kind].length === 2 ? 1.5 * SECOND : 0.5 * SECOND));
    lastReadMs[kind] = Date.now();
    await watch.saw(changed[kind]?.splice(0) ?? []);
    await watch.end();
  };
  const enqueue = async (jobs: readonly { name: string }[]) => {
    for (const { name } of jobs)
      if (name === 'read:orders' || name === 'read:products') void read(name.slice(5) as 'orders');
  };
  stopping.push(startSchedule(context, { enqueue }, log).stop);
  const retention = { journalMs: DAY, inboxMs: DAY, ordersMs: null, customersMs: null };
  stopping.push(startHousekeeping({ mode: 'dry-run', retention }, context, log).stop);
  return { context, reads };
}

const noteWatch = (kind: string, watch: object) =>
  shelf().store.facts.set(
    'main',
    `webhooks:${kind}`,
    JSON.stringify({
      unheard: {},
      unseen: {},
      lostInRow: 0,
      firstLostAtMs: null,
      silentSinceMs: null,
      hours: [],
      ...watch,
    }),
  );
const alert = () => shelf().store.facts.get('main', 'alert:webhooks:products');

test('with the default polls, a disabled webhook subscription for products is noticed within ten minutes, and polls become more frequent at once', async () => {
  await noteWatch('products', { heardAtMs: Date.now() });
  const changed: { products: string[] } = { products: [] };
  const { reads } = play(config(undefined, { secret: 'a-secret' }), changed);
  await pass(2 * SECOND);
  changed.products.push('1', '2');
  let ms = 2 * SECOND;
  for (; (await alert()) === null && ms < 11 * MINUTE; ms += SECOND) await pass(SECOND);
  expect(ms).toBeLessThan(10 * MINUTE);
  await pass(15 * SECOND);
  expect(reads.products).toHaveLength(3);
});

test('after a long read, the next poll leaves four times as long to other work, and 15 seconds at most', async () => {
  const { context, reads } = play(config({ orders: '2s', products: '1h' }));
  const began = { tick: 1, atMs: Date.now() };
  await pass(SECOND);
  await recordReadTime(context, 'orders', began);
  await pass(10 * SECOND);
  expect(reads.orders).toEqual([0, 5 * SECOND, 10 * SECOND]);
  await recordReadTime(context, 'orders', { tick: 2, atMs: 0 });
  await pass(20 * SECOND);
  expect(reads.orders.slice(3)).toEqual([25 * SECOND]);
});

test('while webhooks of a kind are silent, only that kind is polled more often', async () => {
  await noteWatch('orders', { heardAtMs: 0, silentSinceMs: Date.now() - DAY / 2 });
  const { reads } = play(config({ orders: '1h', products: '1h' }, { secret: 'a-secret' }));
  await pass(MINUTE);
  expect(reads.orders.length).toBeGreaterThan(20);
  expect(reads.products).toHaveLength(1);
});

test('the pass over everything reads the orders that were listed late', async () => {
  const context = accountContext(shelf().store, config({ full: '1 0 * * *' }));
  const queued: string[] = [];
  const enqueue = async (jobs: readonly { name: string }[]) => void queued.push(...jobs.map(({ name }) => name));
  stopping.push(startSchedule(context, { enqueue }, log).stop);
  await pass(59 * SECOND);
  expect(queued).not.toContain('read:late-orders');
  await pass(2 * SECOND);
  expect(queued.filter((name) => name === 'read:late-orders')).toHaveLength(1);
});

test('when the webhook secret is removed, the webhook records are dropped: no alert, no more frequent polls', async () => {
  const silent = { heardAtMs: 0, silentSinceMs: Date.now() - DAY / 2 };
  for (const kind of ['orders', 'products']) {
    await noteWatch(kind, silent);
    await shelf().store.facts.set('main', `alert:webhooks:${kind}`, 'no webhook has come');
  }
  const { reads } = play(config({ orders: '1h', products: '1h' }));
  await pass(MINUTE);
  expect(reads).toEqual({ orders: [0], products: [0] });
  expect(await shelf().store.facts.startingWith('main', 'alert:')).toEqual([]);
  const [entry] = await shelf().store.journal.of('main', 'webhooks', 'orders', 5);
  expect(entry?.why).toBe('webhooks about orders are not watched any more: the account has no secret for them');
});
