import { expect, test } from 'vitest';
import type { Sample } from './samples.ts';
import { judge, slope } from './verdict.ts';

const LIMITS = { retentionMs: 180_000, pruneEveryMs: 45_000, warmUpMs: 300_000 };
const EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;

const steady: Omit<Sample, 'atMs' | 'upMs'> = {
  life: 1,
  rssMb: 160,
  descriptors: 60,
  databaseMb: 10,
  logMb: 4,
  freeMb: 1,
  redisMb: 3,
  redisFileMb: 20,
  pending: 0,
  journalRows: 1_000,
  inboxRows: 1_000,
  intentRows: 100,
  coverageRows: 8,
  holes: [],
  oldestJournalMs: 190_000,
  oldestInboxMs: 190_000,
  orders: 0,
};

/** An hour of samples. Two orders come in between two samples. */
function hour(change: (index: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: HOUR_MS / EVERY_MS }, (_, index) => {
    const atMs = index * EVERY_MS;
    return { ...steady, atMs, upMs: atMs, orders: index * 2, ...change(index) };
  });
}

const failed = (samples: readonly Sample[]) => judge(samples, LIMITS).filter(({ met }) => met === false);

test('the slope of a soak figure is that of its least-squares line', () => {
  expect(slope([])).toBe(0);
  expect(slope([[3, 4]])).toBe(0);
  expect(
    slope([
      [0, 1],
      [1, 2],
      [2, 6],
    ]),
  ).toBeCloseTo(2.5);
});

test('a steady soak figure passes, and so does one that rises during the warm-up', () => {
  expect(failed(hour(() => ({})))).toEqual([]);
  expect(failed(hour((index) => ({ rssMb: index < 30 ? 60 + index * 3 : 150 })))).toEqual([]);
});

test.each([
  ['memory', (index: number) => ({ rssMb: 100 + index * 0.1 })],
  ['descriptors', (index: number) => ({ descriptors: 60 + Math.floor(index / 10) })],
  ['journal', () => ({ oldestJournalMs: 600_000 })],
  ['inbox', () => ({ oldestInboxMs: 600_000 })],
  ["SQLite's file", (index: number) => ({ databaseMb: index * 0.02 })],
  ["SQLite's log", (index: number) => ({ logMb: index })],
  ["Redis's memory", (index: number) => ({ redisMb: index })],
  ["Redis's file", (index: number) => ({ redisFileMb: index })],
])('%s that grows fails the soak', (what, change) => {
  const [row, ...more] = failed(hour(change));
  expect(row?.what).toContain(what);
  expect(more).toEqual([]);
});

test('a hole at the end fails the soak, and one that was read again passes', () => {
  const hole = 'orders was not read from A to B';
  expect(failed(hour((index) => ({ holes: index < 300 ? [] : [hole] })))).toMatchObject([
    { value: hole, bound: 'none' },
  ]);
  const mended = hour((index) => ({ holes: index < 300 ? [hole] : [] }));
  expect(failed(mended)).toEqual([]);
  expect(judge(mended, LIMITS)).toContainEqual(expect.objectContaining({ value: 'none; 1 at most before', met: true }));
});

test('memory of a process that ran too briefly is not judged', () => {
  const short = hour((index) => ({
    life: 1 + Math.floor(index / 60),
    upMs: (index % 60) * EVERY_MS,
    rssMb: index * 5,
  }));
  expect(failed(short)).toEqual([]);
  expect(judge(short, LIMITS)[0]?.met).toBeNull();
});
