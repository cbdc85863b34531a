import { beforeEach, expect, test } from 'vitest';
import { createGovernor } from '../../src/marketplace/governor.ts';
import type { Lane } from '../../src/marketplace/quota.ts';
import { useRedis } from '../support/use-redis.ts';
import { SILENT } from './governor-ask.ts';
import { mostWithin, seeded } from './governor-simulation.ts';

const LIMITS = { perSecond: 8, perMinute: 300 };
const T = 1_900_000_000_000;
/** After so long, forgotten calls can do no more harm within the second. */
const BLIND_MS = 1_520;

const { redis } = await useRedis();
beforeEach(async () => {
  await redis.flushall();
});

/** Processes on one clock, which moves only while somebody sleeps, and the times of all grants. */
function openProcesses(nowMs = T) {
  const clock = { now: nowMs };
  const grants: number[] = [];
  const open = (maxWaitMs = 100_000) => {
    const governor = createGovernor({
      redis,
      owner: 'lost',
      limits: LIMITS,
      mayForget: false,
      maxWaitMs,
      clock: {
        nowMs: () => clock.now,
        elapsedMs: () => clock.now - T,
        sleep: async (ms) => {
          clock.now += ms;
        },
      },
    });
    return {
      ...governor,
      async take(lane: Lane, calls: number) {
        for (let call = 0; call < calls; call += 1) {
          await governor.acquire(lane);
          grants.push(clock.now);
        }
      },
    };
  };
  return { clock, grants, open };
}

test('a process remembers its granted calls when Redis loses its count', async () => {
  const { clock, grants, open } = openProcesses();
  const one = open();
  const random = seeded(5);
  for (let round = 0; round < 60; round += 1) {
    await one.take('operator', Math.floor(random() * 12));
    // A random number of answers leaves answered and open calls when the count is lost.
    for (let answers = Math.floor(random() * 8); answers > 0; answers -= 1) await one.observe(SILENT);
    clock.now += Math.floor(random() * 600);
    if (random() < 0.3) await redis.flushall();
  }
  expect(mostWithin(grants, 1_000)).toBe(LIMITS.perSecond);
  expect(mostWithin(grants, 60_000)).toBeLessThanOrEqual(LIMITS.perMinute);
});

test('a process remembers calls of a used-up minute that have long left the second when Redis loses its count', async () => {
  const { clock, grants, open } = openProcesses();
  const one = open();
  await one.take('operator', LIMITS.perMinute);
  const [first = 0] = grants;
  expect(clock.now).toBeLessThan(first + 60_000);
  await redis.flushall();
  await one.take('operator', 1);
  expect(grants.at(-1)).toBe(first + 60_520);
});

test('after Redis lost its count, a process waits for the calls granted to others, which may still be on their way', async () => {
  const { clock, open } = openProcesses();
  const [one, other] = [open(), open()];
  await one.take('operator', LIMITS.perSecond);
  clock.now += 100;
  const lostMs = clock.now;
  await redis.flushall();
  await other.take('operator', 1);
  expect(clock.now).toBe(lostMs + BLIND_MS);
});

test('processes that begin after Redis lost its count wait until forgotten calls do no harm', async () => {
  const { clock, open } = openProcesses();
  await open().take('operator', 1);
  await redis.flushall();
  const lostMs = clock.now;
  await expect(open(BLIND_MS - 1).take('operator', 1)).rejects.toMatchObject({ kind: 'rate-limited' });
  await open().take('operator', 1);
  expect(clock.now).toBe(lostMs + BLIND_MS);
});

test('the loss of a part of the count is noticed, as after a restore from an older copy', async () => {
  const { clock, grants, open } = openProcesses();
  const one = open();
  await one.take('operator', 2);
  const log = 'stockbridge:quota:{lost}:log';
  const before = await redis.zrange(log, '0', '-1');
  await one.take('operator', 6);
  const later = (await redis.zrange(log, '0', '-1')).filter((call) => !before.includes(call));
  await redis.zrem(log, ...later);
  const firstMs = clock.now;
  await one.take('operator', 1);
  expect(mostWithin(grants, 1_000)).toBe(LIMITS.perSecond);
  expect(clock.now).toBe(firstMs + BLIND_MS);
});

test('the calls of an idle process in this minute are learnt from the answers', async () => {
  const { clock, grants, open } = openProcesses();
  const [one, other] = [open(), open()];
  await other.take('operator', 290);
  clock.now += 2_000;
  await redis.flushall();
  const answered = () => {
    const remainingPerMinute = LIMITS.perMinute - grants.filter((at) => at > clock.now - 60_000).length;
    return one.observe({ ...SILENT, limitPerMinute: LIMITS.perMinute, remainingPerMinute });
  };
  for (let call = 0; call < 60; call += 1) {
    await one.take('operator', 1);
    await answered();
  }
  expect(mostWithin(grants, 60_000)).toBeLessThanOrEqual(LIMITS.perMinute);
});

test('after a restore of Redis the calls of others are waited for, whichever process notices it first', async () => {
  const { clock, grants, open } = openProcesses();
  const [one, other] = [open(), open()];
  await one.take('operator', 1);
  await other.take('operator', 1);
  clock.now += 5_000;
  const keys = ['log', 'open', 'state'].map((name) => `stockbridge:quota:{lost}:${name}`);
  const copies = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  await one.take('operator', 4);
  await other.take('operator', 4);
  clock.now += 100;
  const lostMs = clock.now;
  for (const [index, key] of keys.entries()) await redis.restore(key, 0, copies[index] as Buffer, 'REPLACE');
  await one.take('operator', 4);
  expect(clock.now).toBe(lostMs + BLIND_MS);
  await other.take('operator', 4);
  expect(mostWithin(grants, 1_000)).toBe(LIMITS.perSecond);
});

test('an answer that was under way for a call before the loss counts', async () => {
  const { clock, open } = openProcesses();
  const one = open();
  await one.take('operator', 1);
  await redis.flushall();
  await one.take('operator', LIMITS.perSecond);
  const grantedMs = clock.now;
  await one.observe(SILENT);
  await one.take('operator', 1);
  expect(clock.now).toBe(grantedMs + BLIND_MS);
});

test('a lost call is counted once in Redis, and a known one not again', async () => {
  const { open } = openProcesses();
  const one = open();
  await one.take('operator', 5);
  await one.observe(SILENT);
  await redis.flushall();
  await Promise.all([one.observe(SILENT), one.observe(SILENT)]);
  await one.observe({ ...SILENT, limitPerMinute: 300, remainingPerMinute: 295 });
  expect(await one.usage()).toMatchObject({ perMinute: { used: 5, others: 0 } });
  expect(await redis.llen('stockbridge:quota:{lost}:open')).toBe(1);
});

test('a Redis of a new installation has lost nothing: the first call is granted at once', async () => {
  const { clock, open } = openProcesses();
  const governor = open();
  await governor.begin();
  await governor.take('poll', 1);
  expect(clock.now).toBe(T);
});

test('a Redis that lost its data does not count as new after granted calls or a 429', async () => {
  const { clock, open } = openProcesses();
  const one = open();
  await one.take('poll', 3);
  await redis.flushall();
  const beganAt = clock.now;
  await open().begin();
  await one.take('poll', 1);
  expect(clock.now - beganAt).toBeGreaterThanOrEqual(BLIND_MS);
  await redis.flushall();
  const unknown = open();
  await unknown.observe({ ...SILENT, status: 429, retryAfterMs: 5_000 });
  const closedAt = clock.now;
  await unknown.begin();
  await unknown.take('poll', 1);
  expect(clock.now - closedAt).toBeGreaterThanOrEqual(5_000);
});
