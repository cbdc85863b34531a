import { beforeEach, expect, test } from 'vitest';
import { createGovernor } from '../../src/marketplace/governor.ts';
import { useRedis } from '../support/use-redis.ts';
import { SILENT } from './governor-ask.ts';

const HOUR_MS = 3_600_000;
const T = 1_900_000_000_000;
const { redis } = await useRedis();
beforeEach(async () => {
  await redis.flushall();
});

/** A governor whose Redis has held its quota for a while, and its keys there. */
async function settled() {
  const clock = { now: T };
  const governor = createGovernor({
    redis,
    owner: 'untrue',
    limits: { perSecond: 8, perMinute: 300 },
    mayForget: false,
    maxWaitMs: 10 * HOUR_MS,
    clock: {
      nowMs: () => clock.now,
      elapsedMs: () => clock.now - T,
      sleep: async (ms) => {
        clock.now += ms;
      },
    },
  });
  await governor.acquire('poll');
  clock.now += 120_000;
  const before = await governor.usage();
  expect(before?.untrueAgoMs).toBeNull();
  return { governor, clock, key: (name: string) => `stockbridge:quota:{untrue}:${name}` };
}

const ENDLESS = ['1e300', 'inf', 'nan', '-1e300', 'a text', ''];
const FIELDS = ['closed_ms', 'closed_at', 'level', 'level_at', 'second_limit', 'minute_limit'];
const OTHERS = ['second_others', 'second_at', 'minute_others', 'minute_at'];

test.each([...FIELDS, ...OTHERS].flatMap((field) => ENDLESS.map((value) => [field, value] as const)))(
  'I7 a %s of "%s" in Redis closes the quota for no longer than the longest closure, and is reported',
  async (field, value) => {
    const { governor, clock, key } = await settled();
    await redis.hset(key('state'), 'closed_ms', 1, 'second_at', clock.now, 'minute_at', clock.now);
    await redis.hset(key('state'), field, value);
    const beganMs = clock.now;
    for (let call = 0; call < 20; call += 1) await governor.acquire('poll');
    expect(clock.now - beganMs).toBeLessThanOrEqual(HOUR_MS + 120_000);
    expect((await governor.usage())?.untrueAgoMs).toBe(clock.now - beganMs);
  },
);

test.each(['log', 'open', 'state', 'waiting'])(
  'I7 a text in the place of the %s is dropped, and reported',
  async (name) => {
    const { governor, clock, key } = await settled();
    await redis.set(key(name), 'a text');
    const beganMs = clock.now;
    for (let call = 0; call < 20; call += 1) await governor.acquire('poll');
    expect(clock.now - beganMs).toBeLessThan(120_000);
    expect((await governor.usage())?.untrueAgoMs).toBe(clock.now - beganMs);
  },
);

test('I7 an impossibly high limit of the marketplace is not reported', async () => {
  const { governor } = await settled();
  const limits = { limitPerMinute: 5_000_000, remainingPerMinute: 4_999_999, limitPerSecond: 3_000_000 };
  await governor.observe({ ...SILENT, ...limits });
  await governor.acquire('poll');
  expect(await governor.usage()).toMatchObject({ untrueAgoMs: null });
});

test("I7: invalid entries in the governor's queue delay no caller", async () => {
  const { governor, clock, key } = await settled();
  const lease = clock.now + 1_000;
  await redis.hset(key('waiting'), '0:a', 'x y', 'no-rank', `1 ${lease}`, '0:b', '', '0:c', `1 inf`, '0:d', `nan nan`);
  const beganMs = clock.now;
  await governor.acquire('backfill');
  expect(clock.now - beganMs).toBeLessThan(2_000);
});

test('I7 a grant dated far in the future leaves the log within a minute', async () => {
  const { governor, clock, key } = await settled();
  const calls = Array.from({ length: 400 }, (_, at) => ['1e300', `call ${at}`]).flat();
  await redis.zadd(key('log'), ...calls);
  const beganMs = clock.now;
  await governor.acquire('poll');
  expect(clock.now - beganMs).toBeLessThan(62_000);
});
