import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import type { Shift } from '../../../src/domain/drift.ts';
import { type OpenDrift, withFigures, withMove } from '../../../src/domain/shadow/open-drift.ts';

const shift = (quantity: number, reserved: number): Shift => ({
  quantity: new Decimal(quantity),
  reserved: new Decimal(reserved),
});
const open: OpenDrift = {
  tick: 1,
  difference: shift(-2, 3),
  shown: shift(98, 3),
  certain: true,
  moves: [shift(0, 1)],
  seenAtMs: 10,
};
const seen = { tick: 2, expected: shift(98, 3), shown: shift(90, 0), certain: false, seenAtMs: 20 };

test('figures that were expected are no drift', () => {
  expect(withFigures(open, { ...seen, shown: seen.expected })).toBeNull();
});

test('a first drift is the difference between the found and the expected figure', () => {
  const { tick, shown, certain, seenAtMs } = seen;
  expect(withFigures(null, seen)).toEqual({ tick, shown, certain, seenAtMs, difference: shift(-8, -3), moves: [] });
});

test('a further drift adds to the open one; the certainty of that one stays, and so do the moves since', () => {
  const { tick, shown, seenAtMs } = seen;
  const { certain, moves } = open;
  expect(withFigures(open, seen)).toEqual({ tick, shown, certain, moves, seenAtMs, difference: shift(-10, 0) });
});

test('the newest eight moves of a drift are kept, and one uncertain move makes the drift uncertain for good', () => {
  let drift = withMove(open, shift(0, 2), true);
  for (const units of [3, 4, 5, 6, 7, 8, 9]) drift = withMove(drift, shift(0, units), false);
  expect(drift.moves.map(({ reserved }) => reserved.toNumber())).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  expect(drift).toMatchObject({ certain: false, difference: open.difference, seenAtMs: 10 });
});
