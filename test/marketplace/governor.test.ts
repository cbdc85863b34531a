import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGovernor, type QuotaClock } from '../../src/marketplace/governor.ts';
import type { Lane } from '../../src/marketplace/quota.ts';
import { inTime } from '../support/in-time.ts';
import { startRedis } from '../support/redis.ts';
import { useRedis } from '../support/use-redis.ts';
import { SILENT } from './governor-ask.ts';
import { clientFor, startHttp } from './loopback.ts';

const LIMITS = { perSecond: 8, perMinute: 300 };
const T = 1_900_000_000_000;

const { server, redis } = await useRedis();

/** Time that passes only while somebody sleeps. */
function sleepingClock(nowMs = T): QuotaClock & { now: number; slept: number[] } {
  const clock = {
    now: nowMs,
    slept: [] as number[],
    nowMs: () => clock.now,
    elapsedMs: () => clock.now,
    async sleep(ms: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      clock.now += ms;
      clock.slept.push(ms);
    },
  };
  return clock;
}

function governorOf(
  owner: string,
  settings: { clock?: QuotaClock; maxWaitMs?: number; client?: Redis; mayForget?: boolean } = {},
) {
  const { clock = sleepingClock(), maxWaitMs = 30_000, client = redis, mayForget = false } = settings;
  // The history is known: no call was made for a long time.
  client.hsetnx(`stockbridge:quota:{${owner}}:state`, 'closed_at', 0).catch(() => {});
  return createGovernor({ redis: client, owner, limits: LIMITS, mayForget, maxWaitMs, clock });
}

async function acquire(governor: ReturnType<typeof governorOf>, lane: Lane, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++) await governor.acquire(lane);
}

test('a call waits until the quota has room', async () => {
  const clock = sleepingClock();
  const governor = governorOf('waits', { clock });
  await acquire(governor, 'webhook', 8);
  expect(clock.slept).toEqual([]);
  await governor.acquire('webhook');
  expect(clock.slept).toEqual([1_000, 520]);
});

test('a job is handed back at once when its wait for the quota would be too long', async () => {
  const clock = sleepingClock();
  const governor = governorOf('hands-back', { clock, maxWaitMs: 1_519 });
  await acquire(governor, 'webhook', 8);
  await expect(governor.acquire('webhook')).rejects.toMatchObject({
    name: 'CallFailure',
    side: 'marketplace',
    kind: 'rate-limited',
    outcome: 'not-applied',
    retryAfterMs: 1_520,
    message: expect.stringContaining('webhook'),
  });
  expect(clock.slept).toEqual([]);
});

test('a job that is handed back waits for at least a second', async () => {
  const governor = governorOf('not-sooner', { maxWaitMs: 0 });
  await acquire(governor, 'backfill', 2);
  await expect(governor.acquire('backfill')).rejects.toMatchObject({ kind: 'rate-limited', retryAfterMs: 1_000 });
});

test('the callers of a lane are served in their order, and each waits no longer than it may', async () => {
  const governor = governorOf('order', { maxWaitMs: 1_600 });
  const served: number[] = [];
  const asked = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => governor.acquire('webhook').then(() => served.push(index))),
  );
  expect(served).toEqual(Array.from({ length: 16 }, (_, index) => index));
  expect(asked.slice(16).every(({ status }) => status === 'rejected')).toBe(true);
});

test('callers in line are counted, so that nobody overtakes them', async () => {
  const client = server.connect();
  const asked = vi.spyOn(client, 'eval');
  const governor = governorOf('in-line', { client });
  await Promise.all([governor.acquire('webhook'), governor.acquire('webhook'), governor.acquire('webhook')]);
  await governor.acquire('webhook');
  expect(asked.mock.calls.map((args) => args.at(-1))).toEqual([2, 1, 0, 0]);
});

test('a grant whose answer comes late is not used but returned', async () => {
  const clock = sleepingClock();
  const client = server.connect();
  const evaluate = client.eval.bind(client);
  let stalls = 1;
  vi.spyOn(client, 'eval').mockImplementation(async (...args: Parameters<typeof evaluate>) => {
    const answer = await evaluate(...args);
    // The process stands still before it can read the answer.
    if (args.includes('ask') && stalls-- > 0) clock.now += 251;
    return answer;
  });
  const governor = governorOf('unheard', { clock, client });
  await governor.acquire('webhook');
  expect(await governor.usage()).toMatchObject({ perSecond: { used: 1 } });
  const [, date] = await redis.zrange('stockbridge:quota:{unheard}:log', '0', '-1', 'WITHSCORES');
  expect(Number(date)).toBe(T + 251 + 500);
  stalls = Number.POSITIVE_INFINITY;
  await expect(governor.acquire('webhook')).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(await redis.llen('stockbridge:quota:{unheard}:open')).toBe(1);
});

test('a grant is late once half of its time is over, and a returned grant was never granted', async () => {
  const clock = sleepingClock();
  const governor = governorOf('given-back', { clock });
  await governor.acquire('webhook');
  const grant = await governor.acquire('webhook');
  clock.now += 250;
  expect(grant.isLate()).toBe(false);
  clock.now += 1;
  expect(grant.isLate()).toBe(true);
  await grant.giveBack();
  expect(await governor.usage()).toMatchObject({ perSecond: { used: 1 } });
  // A Redis that has lost its count is not told of that call either.
  await redis.del('stockbridge:quota:{given-back}:log');
  await governor.observe(SILENT);
  expect(await governor.usage()).toMatchObject({ perSecond: { used: 1 } });
});

test('a process that was suspended before a write was sent sends it with a new grant', async () => {
  const clock = sleepingClock();
  const market = await startHttp(() => ({ body: '{"id":5}' }));
  onTestFinished(() => market.close());
  const client = clientFor(market.url, { governor: governorOf('stood-still', { clock }) });
  let standstills = 1;
  const revalidate = async () => {
    if (standstills-- > 0) clock.now += 600;
    return true;
  };
  await client.call('products.create', { body: {} }, { lane: 'operator', revalidate });
  expect(market.received).toHaveLength(1);
  const log = await redis.zrange('stockbridge:quota:{stood-still}:log', '0', '-1', 'WITHSCORES');
  expect(log).toEqual([expect.any(String), String(T + 600)]);
  const again = client.call(
    'products.create',
    { body: {} },
    { lane: 'operator', revalidate: async () => (clock.now += 600) > 0 },
  );
  await expect(again).rejects.toMatchObject({ kind: 'rate-limited', outcome: 'not-applied', status: null });
  expect(market.received).toHaveLength(1);
  await client.close();
});

test('a caller that gave up does not delay those behind it', async () => {
  const stop = new AbortController();
  const clock = sleepingClock();
  const governor = governorOf('gave-up', {
    clock: {
      ...clock,
      sleep: (ms, signal) => {
        stop.abort(new Error('no longer wanted'));
        return clock.sleep(ms, signal);
      },
    },
  });
  await acquire(governor, 'webhook', 8);
  const [first, second] = [governor.acquire('webhook', stop.signal), governor.acquire('webhook')];
  await expect(first).rejects.toThrow('no longer wanted');
  await second;
  await expect(governor.acquire('webhook', stop.signal)).rejects.toThrow('no longer wanted');
});

test('without limits there is no governor, and no Redis', async () => {
  const none = new Redis(join(tmpdir(), 'nothing-is-here'), { lazyConnect: true });
  const governor = createGovernor({ redis: none, owner: 'off', limits: null, mayForget: true, maxWaitMs: 0 });
  await Promise.all(Array.from({ length: 100 }, () => governor.acquire('backfill')));
  await governor.observe({ ...SILENT, status: 429 });
  expect(await governor.usage()).toBeNull();
  expect(none.status).toBe('wait');
});

test('the governor uses Redis’s own time when it is given none', async () => {
  await redis.hset('stockbridge:quota:{own-time}:state', 'closed_at', 0);
  const governor = createGovernor({ redis, owner: 'own-time', limits: LIMITS, mayForget: false, maxWaitMs: 0 });
  await governor.acquire('operator');
  const [, score] = await redis.zrange('stockbridge:quota:{own-time}:log', '0', '0', 'WITHSCORES');
  const [seconds] = await redis.time();
  expect(Math.abs(Number(score) / 1_000 - Number(seconds))).toBeLessThan(60);
});

describe('everybody shares one quota', () => {
  const run = promisify(execFile);
  const processes = async (count: number, owner: string, nowMs: number) => {
    const script = join(import.meta.dirname, 'governor-process.ts');
    const args = [script, server.path, owner, String(nowMs), '10'];
    const outputs = await Promise.all(Array.from({ length: count }, () => run(process.execPath, args)));
    return outputs.reduce((sum, { stdout }) => sum + Number(stdout), 0);
  };

  test('I7: several processes, and those that come after them, get eight calls together', async () => {
    expect(await processes(1, 'shared', T - 1_520)).toBe(0);
    expect(await processes(3, 'shared', T)).toBe(8);
    expect(await processes(2, 'shared', T + 1_519)).toBe(0);
    expect(await processes(2, 'shared', T + 1_520)).toBe(8);
  });

  test('a 429 to one process closes the quota for all of the owner, but not for another owner', async () => {
    const clock = sleepingClock();
    await governorOf('owner-a', { clock }).observe({ ...SILENT, status: 429, retryAfterMs: 5_000 });
    await governorOf('owner-b', { clock }).acquire('backfill');
    expect(clock.slept).toEqual([]);
    await governorOf('owner-a', { clock }).acquire('operator');
    expect(clock.now).toBe(T + 5_000);
  });

  test('the usage of the quota lists what is used, by whom, and who waits', async () => {
    const clock = sleepingClock();
    const governor = governorOf('usage', { clock });
    await acquire(governor, 'webhook', 3);
    await governor.observe({ ...SILENT, limitPerMinute: 200, remainingPerMinute: 150, limitPerSecond: 6 });
    expect(await governor.usage()).toEqual({
      perSecond: { limit: 6, used: 3, others: 0 },
      perMinute: { limit: 200, used: 3, others: 47 },
      closedForMs: 0,
      untrueAgoMs: null,
      waiting: { operator: 0, read: 0, 'new-order': 0, webhook: 0, poll: 0, backfill: 0, 'follow-up': 0 },
    });
    await governor.observe({ ...SILENT, status: 429, retryAfterMs: 2_000 });
    const asleep = Promise.withResolvers<void>();
    const stop = new AbortController();
    onTestFinished(() => asleep.resolve());
    const sleeper = governorOf('usage', { clock: { ...clock, nowMs: clock.nowMs, sleep: () => asleep.promise } });
    const waiting = sleeper.acquire('poll', stop.signal);
    await inTime(async () => expect((await governor.usage())?.waiting.poll).toBe(1));
    expect(await governor.usage()).toMatchObject({ closedForMs: 2_000 });
    stop.abort();
    asleep.resolve();
    await expect(waiting).rejects.toThrow();
  });
});

test('a lost Redis refuses calls at once, and remembers the count when it is back', async () => {
  const own = await startRedis();
  onTestFinished(() => own.stop());
  const client = own.connect({ retryStrategy: () => 20, maxRetriesPerRequest: 1 });
  const clock = sleepingClock();
  const governor = governorOf('lost', { clock, client });
  await acquire(governor, 'webhook', 8);
  await own.kill();
  await inTime(() => expect(client.status).not.toBe('ready'));
  await expect(governor.acquire('operator')).rejects.toMatchObject({
    kind: 'unavailable',
    outcome: 'not-applied',
    message: expect.stringContaining('Redis'),
  });
  // The message is not the Redis client's own, which speaks of its options.
  await inTime(() => expect(governor.acquire('operator')).rejects.toThrow('(it cannot be reached)'));
  // A failed count of the quota must not lose the answer.
  await governor.observe({ ...SILENT, status: 429 });
  await own.revive();
  await inTime(() => expect(client.status).toBe('ready'));
  await governor.acquire('webhook');
  expect(clock.now).toBe(T + 1_520);
});

test('an unresponsive Redis refuses calls after a while', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'silent-'));
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(join(dir, 's'), resolve));
  const client = new Redis(join(dir, 's'), { maxRetriesPerRequest: null });
  client.on('error', () => {});
  onTestFinished(async () => {
    client.disconnect();
    silent.close();
    await rm(dir, { recursive: true, force: true });
  });
  await expect(governorOf('silent', { client }).acquire('poll')).rejects.toMatchObject({ kind: 'unavailable' });
});
