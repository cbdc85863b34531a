import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateOf, estimateText, type Remaining, withRemaining } from '../../src/domain/estimate.ts';

const text = (seen: readonly Remaining[], perMinute: number | null) => {
  const found = estimateOf(seen, perMinute);
  return found === null ? null : estimateText(found);
};
const at = (seconds: number, count: number): Remaining => ({ atMs: seconds * 1_000, count });

test.each<[string, readonly Remaining[], number | null, string | null]>([
  ['the pace of the last looks', [at(0, 1_000), at(30, 900)], null, 'about 5 min'],
  ['soon', [at(0, 100), at(10, 20)], null, 'less than a minute'],
  ['a burst does not outrun the quota', [at(0, 1_300), at(3, 1_276)], 300, 'at least 5 min'],
  ['items that follow from finished ones hide no pace', [at(0, 600), at(60, 540)], 300, 'at least 2 min'],
  ['no pace yet: the quota alone', [at(0, 3_000)], 300, 'at least 10 min'],
  ['no pace yet, and little to do', [at(0, 30)], 300, null],
  ['nothing is done', [at(0, 50), at(40, 50)], null, null],
  ['it grows', [at(0, 50), at(40, 90)], null, null],
  ['nothing is left', [at(0, 50), at(40, 0)], 300, null],
  ['hours', [at(0, 100_000), at(60, 99_700)], 300, 'at least 5 h'],
  ['nobody has looked', [], 300, null],
])('the estimate of the remaining time: %s', (_name, seen, perMinute, expected) => {
  expect(text(seen, perMinute)).toBe(expected);
});

test('the number of samples of an estimate is bounded, however often it is displayed, and the last one is the present', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.nat(1_000)), { maxLength: 500 }), (looks) => {
      let atMs = 0;
      let seen: Remaining[] = [];
      for (const [waitedMs, count] of looks) {
        atMs += waitedMs;
        seen = withRemaining(seen, { atMs, count });
        expect(seen.at(-1)).toEqual({ atMs, count });
        expect(seen.length).toBeLessThanOrEqual(63);
        expect(atMs - (seen[0]?.atMs ?? 0)).toBeLessThanOrEqual(60_000);
      }
    }),
  );
});

test('samples in quick succession do not hide the pace', () => {
  let seen: Remaining[] = [];
  for (let look = 0; look <= 200; look++) seen = withRemaining(seen, { atMs: look * 50, count: 1_000 - look });
  expect(text(seen, null)).toBe('less than a minute');
  expect(estimateOf(seen, null)?.ms).toBeCloseTo((800 * 10_000) / 200, -3);
});
