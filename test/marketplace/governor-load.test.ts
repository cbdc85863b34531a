import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lane } from '../../src/marketplace/quota.ts';
import { useRedis } from '../support/use-redis.ts';
import { quotaScript } from './governor-ask.ts';
import { type Caller, mostWithin, seeded, simulate } from './governor-simulation.ts';

const T = 1_900_000_000_000;

const { redis } = await useRedis();

function callersOf(lane: Lane, count: number, idleMs: () => number): Caller[] {
  return Array.from({ length: count }, (_, index) => ({ lane, name: `${lane}${index}`, idleMs }));
}

test('I7: a saturating backfill uses 97% of the quota, and interactive calls wait 300 ms at most', async () => {
  const random = seeded(7);
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const script = quotaScript(redis, 'load', { perSecond: 8, perMinute: 300 });
  await script.rest();
  const { arrivals, waits } = await simulate({
    script,
    startMs: T,
    seconds: 130,
    callers: [...callersOf('backfill', 16, () => 0), ...callersOf('webhook', 4, () => between(0, 16_000))],
    thereMs: () => between(20, 100),
    backMs: () => between(20, 100),
    lateMs: () => between(0, 8),
  });
  expect(mostWithin(arrivals, 1_000)).toBeLessThanOrEqual(8);
  expect(mostWithin(arrivals, 60_000)).toBeLessThanOrEqual(300);
  expect(arrivals.length).toBeGreaterThanOrEqual(0.97 * 650);
  const interactive = waits.filter(({ lane }) => lane === 'webhook').map(({ waitMs }) => waitMs);
  interactive.sort((a, b) => a - b);
  expect(interactive.length).toBeGreaterThan(30);
  expect(interactive[Math.floor(interactive.length * 0.95)]).toBeLessThanOrEqual(300);
});

test('I7: the quota holds for any requests, late or early arrivals, and answered or lost calls', async () => {
  const lanes = fc.array(fc.constantFrom<Lane>('operator', 'webhook', 'poll', 'backfill'), {
    minLength: 1,
    maxLength: 8,
  });
  const limits = fc.record({ perSecond: fc.integer({ min: 1, max: 4 }), perMinute: fc.integer({ min: 4, max: 60 }) });
  let run = 0;
  let fullest = 0;
  await fc.assert(
    fc.asyncProperty(lanes, limits, fc.nat(1_000_000), fc.boolean(), async (wanted, allowed, seed, answered) => {
      const random = seeded(seed);
      const { arrivals } = await simulate({
        script: quotaScript(redis, `any${run++}`, allowed),
        startMs: T,
        seconds: 90,
        callers: wanted.map((lane, index) => ({
          lane,
          name: String(index),
          idleMs: () => Math.floor(random() ** 4 * 4_000),
        })),
        thereMs: () => Math.floor(random() * 500),
        backMs: () => (answered || random() < 0.5 ? Math.floor(random() * 1_500) : null),
        lateMs: () => Math.floor(random() * 300),
      });
      expect(mostWithin(arrivals, 1_000)).toBeLessThanOrEqual(allowed.perSecond);
      expect(mostWithin(arrivals, 60_000)).toBeLessThanOrEqual(allowed.perMinute);
      fullest = Math.max(fullest, mostWithin(arrivals, 60_000) / allowed.perMinute);
    }),
    { numRuns: 30, seed: 20_301 },
  );
  expect(fullest).toBeGreaterThan(0.9);
});
