import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DAY_MS,
  type DayRead,
  gapsOf,
  SAMPLE_MS,
  SAMPLES_KEPT,
  type Sample,
  withSample,
} from '../../src/domain/day.ts';

const NONE = { ordersIn: 0, ordersOut: 0, drift: 0 };
const QUIET: DayRead = {
  levels: { quota: null, lateMs: 0, waitedMs: 0, webhookLoss: null, late: {} },
  counts: NONE,
  countsBefore: NONE,
};
const look = (changed: Partial<DayRead['levels']>, counts = NONE, countsBefore = NONE): DayRead => ({
  levels: { ...QUIET.levels, ...changed },
  counts,
  countsBefore,
});

test('a five-minute sample keeps its worst level and the sum of its counts', () => {
  const first = withSample([], look({ quota: 0.9, lateMs: 60_000, webhookLoss: 0.5 }, { ...NONE, ordersIn: 2 }), 1_000);
  const second = withSample(first, look({ quota: 0.1, webhookLoss: 0.25 }, { ...NONE, ordersIn: 5 }), 61_000);
  expect(second).toEqual([
    {
      atMs: 0,
      quota: 0.9,
      lateMs: 60_000,
      waitedMs: 0,
      webhookLoss: 0.25,
      ordersIn: 5,
      ordersOut: 0,
      drift: 0,
      late: {},
    },
  ]);
});

test('counts that arrive after the last sample of five minutes are added to it by the next sample', () => {
  const first = withSample([], look({}, { ...NONE, ordersIn: 2 }), SAMPLE_MS - 1);
  const day = withSample(first, look({}, { ...NONE, ordersIn: 1 }, { ...NONE, ordersIn: 7 }), SAMPLE_MS);
  expect(day.map(({ ordersIn }) => ordersIn)).toEqual([7, 1]);
});

test('a sample keeps a known webhook share when a later look does not know it', () => {
  const day = withSample(withSample([], look({ quota: 0.4 }), 0), look({ quota: null }), 60_000);
  expect(day[0]?.quota).toBe(0.4);
});

test('with any clock, the samples span at most a day, in order, five minutes each, and none is in the future', () => {
  const step = fc.oneof(fc.integer({ min: 0, max: 4 * SAMPLE_MS }), fc.integer({ min: -DAY_MS, max: 2 * DAY_MS }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      let nowMs = 10 * DAY_MS;
      let day: Sample[] = [];
      for (const moved of steps) {
        nowMs += moved;
        day = withSample(day, QUIET, nowMs);
        const times = day.map(({ atMs }) => atMs);
        expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
        expect(day.length).toBeLessThanOrEqual(SAMPLES_KEPT);
        expect(times.every((atMs) => atMs <= nowMs && atMs > nowMs - DAY_MS - SAMPLE_MS)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test('the samples of a day are complete after a day', () => {
  let day: Sample[] = [];
  for (let at = 0; at < 2 * SAMPLES_KEPT; at++) day = withSample(day, QUIET, at * SAMPLE_MS);
  expect(day.length).toBe(SAMPLES_KEPT);
});

/** A day of looks: `.` in time, `L` the orders were late, `N` they were never read, `-` nothing ran. */
function dayOf(looks: string): Sample[] {
  const late = (seen: string, at: number) => (seen === '.' ? {} : { orders: seen === 'N' ? null : at * 1_000 });
  return looks
    .split('')
    .reduce<Sample[]>(
      (day, one, at) => (one === '-' ? day : withSample(day, look({ late: late(one, at) }), at * SAMPLE_MS)),
      [],
    );
}

test.each([
  ['....', []],
  ['..LL.', ['late 2-4 3000']],
  ['.L-.L', ['late 1-2 1000', 'stopped 2-3 null', 'late 4-5 4000']],
  ['NN.', ['late 0-2 null']],
  // Before the first look nothing is on record.
  ['--.L', ['late 3-4 3000']],
  ['.---', ['stopped 1-4 null']],
])('the gaps of a list after the reads %s', (looks, expected) => {
  const nowMs = looks.length * SAMPLE_MS;
  const shown = (gap: { fromMs: number; toMs: number; why: string; ageMs: number | null }) =>
    `${gap.why} ${gap.fromMs / SAMPLE_MS}-${gap.toMs / SAMPLE_MS} ${gap.ageMs}`;
  const found = gapsOf(dayOf(looks), 'orders', nowMs);
  expect(found?.gaps.map(shown)).toEqual(expected);
  expect(gapsOf(dayOf(looks), 'products', nowMs)?.gaps.filter(({ why }) => why === 'late')).toEqual([]);
});

test('a late list keeps the worst of five minutes, although it was read meanwhile', () => {
  const first = withSample([], look({ late: { orders: 9_000, products: null } }), 1_000);
  expect(withSample(first, look({ late: { orders: 7_000, payments: 1 } }), 61_000)[0]?.late).toEqual({
    orders: 9_000,
    products: null,
    payments: 1,
  });
});

test('a single missing sample is no gap, and a gap is at most a day long', () => {
  const [old] = withSample([], QUIET, 0);
  const { late: _, ...before } = old as Sample;
  expect(gapsOf([before], 'orders', SAMPLE_MS)).toBeNull();
  const found = gapsOf([old as Sample], 'orders', 30 * DAY_MS);
  expect(found?.sinceMs).toBe(29 * DAY_MS + SAMPLE_MS);
  expect(found?.gaps).toHaveLength(1);
});
