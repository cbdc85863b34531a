import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holesIn, type Interval, merged } from '../../src/domain/coverage.ts';
import { instantNs } from '../../src/domain/instant.ts';

const at = (second: number | null) =>
  second === null ? null : `2030-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
const span = (from: number | null, to: number | null): Interval => ({ from: at(from), to: at(to) });

test.each([
  ['follow on each other', [span(null, 10), span(10, 20)], [span(null, 20)]],
  ['overlap', [span(5, 20), span(0, 10)], [span(0, 20)]],
  ['hold each other', [span(0, 30), span(5, 10)], [span(0, 30)]],
  ['leave a hole', [span(20, 30), span(0, 10)], [span(0, 10), span(20, 30)]],
  ['are of an empty collection, and then of a full one', [span(null, null), span(null, 4)], [span(null, 4)]],
  ['end before they begin', [span(10, 4)], [span(10, 10)]],
])('covered time grows by windows that %s', (_, windows, expected) => {
  expect(merged(windows)).toEqual(expected);
});

test('covered time is computed in whatever zone and precision the server wrote', () => {
  const first = { from: null, to: '2030-01-01T01:00:10.1+01:00' };
  const second = { from: '2030-01-01T00:00:10.100', to: '2030-01-01T00:00:20Z' };
  expect(merged([first, second])).toEqual([{ from: null, to: '2030-01-01T00:00:20Z' }]);
});

test('holes lie between windows, and before the first window where the beginning counts', () => {
  const windows = [span(10, 20), span(30, 40), span(50, 60)];
  const between = [
    { from: at(20), to: at(30) },
    { from: at(40), to: at(50) },
  ];
  expect(holesIn(windows, false)).toEqual(between);
  expect(holesIn(windows, true)).toEqual([{ from: null, to: at(10) }, ...between]);
  expect(holesIn([span(null, 20)], true)).toEqual([]);
  expect(holesIn([], true)).toEqual([]);
});

test('holes and covered windows together are, second for second, everything between the first and the last', () => {
  const end = fc.option(fc.integer({ min: 0, max: 59 }), { nil: null, freq: 8 });
  const windows = fc.array(
    fc
      .tuple(end, end)
      .map(([a, b]) => span(a === null || b === null || a <= b ? a : b, a === null || b === null ? b : Math.max(a, b))),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(windows, (some) => {
      const found = merged(some);
      const holes = holesIn(some, true);
      const covers = (each: Interval, second: number) => {
        const [from, to] = [
          each.from === null ? null : instantNs(each.from),
          each.to === null ? null : instantNs(each.to),
        ];
        const ns = instantNs(at(second) ?? '') ?? 0n;
        return (from === null || from <= ns) && to !== null && ns <= to;
      };
      const inHole = (second: number) =>
        holes.some(({ from, to }) => (from === null || (at(second) ?? '') > from) && (at(second) ?? '') < to);
      const last = found.at(-1)?.to ?? null;
      for (let second = 0; second < 60; second += 1) {
        const covered = some.some((each) =>
          covers(each.from !== null && each.to === null ? { ...each, to: each.from } : each, second),
        );
        expect(found.some((each) => covers(each, second))).toBe(covered);
        const isBeforeEnd = last !== null && (at(second) ?? '') <= last;
        expect(inHole(second)).toBe(isBeforeEnd && !covered);
      }
      expect(merged(found)).toEqual(found);
    }),
    { numRuns: 300 },
  );
});
