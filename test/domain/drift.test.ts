import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { classifyDrift, type DriftFacts, type Shift, unexplainedShift } from '../../src/domain/drift.ts';

const d = (value: number | string) => new Decimal(value);
const shift = (quantity: number, reserved: number): Shift => ({ quantity: d(quantity), reserved: d(reserved) });
const shown = ({ quantity, reserved }: Shift) => [quantity.toNumber(), reserved.toNumber()];

const facts = (difference: Shift, changes: Partial<DriftFacts> = {}): DriftFacts => ({
  difference,
  shown: shift(90, 10),
  certain: true,
  field: 'available_inventory',
  written: [],
  lateLines: [],
  consumedLines: [],
  ...changes,
});

test.each<[string, DriftFacts, string | null]>([
  ['nothing', facts(shift(0, 0)), null],
  ['more on hand', facts(shift(5, 0)), 'edited'],
  ['less on hand', facts(shift(-5, 0)), 'edited'],
  ['on hand, and nobody is sure', facts(shift(5, 0), { certain: false }), null],
  ['more reserved', facts(shift(0, 3)), 'unknown-order'],
  ['less reserved', facts(shift(0, -3)), 'unknown-order'],
  ['reserved was taken', facts(shift(-3, -3)), 'unknown-order'],
  ['reserved and edited', facts(shift(7, 3)), 'unknown-order'],
  ['reserved, and nobody is sure', facts(shift(0, 3), { certain: false }), null],
  ['the figure that was written before', facts(shift(5, 0), { written: [d(80)] }), 'own-write'],
  ['the same as quantity', facts(shift(5, 0), { written: [d(90)], field: 'quantity' }), 'own-write'],
  ['the same of the other field', facts(shift(5, 0), { written: [d(90)] }), 'edited'],
  ['written before, with something reserved', facts(shift(5, 1), { written: [d(80)] }), 'unknown-order'],
  ['a late line is reserved', facts(shift(0, 4), { lateLines: [d(4)] }), 'late-line'],
  ['a late line is consumed', facts(shift(-4, 0), { lateLines: [d(4)] }), 'late-line'],
  ['more than a late line', facts(shift(-5, 0), { lateLines: [d(4)] }), 'edited'],
  ['a consumed line was not', facts(shift(4, 0), { consumedLines: [d(4)], certain: false }), 'late-line'],
  ['a consumed line surely was', facts(shift(4, 0), { consumedLines: [d(4)] }), 'edited'],
])('the drift of a listing: %s', (_, given, kind) => {
  expect(classifyDrift(given)).toBe(kind);
});

describe('the part of a difference that later orders explain', () => {
  test.each<[string, Shift, Shift[], [number, number]]>([
    ['nothing is known', shift(0, 3), [], [0, 3]],
    ['the order', shift(0, 3), [shift(0, 3)], [0, 0]],
    ['two orders', shift(0, 8), [shift(0, 3), shift(0, 5)], [0, 0]],
    ['one of them came after', shift(0, 3), [shift(0, 5), shift(0, 3)], [0, 0]],
    ['an order that was fulfilled', shift(-3, -3), [shift(-3, -3)], [0, 0]],
    ['an edit, and an order after it', shift(9, 0), [shift(0, 3)], [9, 0]],
    ['an edit, and an order before it', shift(9, 3), [shift(0, 3)], [9, 0]],
    ['another order', shift(0, 4), [shift(0, 3)], [0, 4]],
  ])('the part of a drift that later orders explain: %s', (_, difference, moves, rest) => {
    expect(shown(unexplainedShift(difference, moves))).toEqual(rest);
  });

  const quantity = fc.integer({ min: 1, max: 50 });
  const move = fc.oneof(
    quantity.map((units) => shift(0, units)),
    quantity.map((units) => shift(0, -units)),
    quantity.map((units) => shift(-units, -units)),
  );

  test('orders explain a drift completely, some before the figures were read and some after', () => {
    const given = fc.array(fc.tuple(move, fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(given, (moves) => {
        const before = moves.filter(([, isBefore]) => isBefore).map(([each]) => each);
        const difference = before.reduce(plus, shift(0, 0));
        expect(
          shown(
            unexplainedShift(
              difference,
              moves.map(([each]) => each),
            ),
          ),
        ).toEqual([0, 0]);
      }),
    );
  });

  test('an edit together with reservations is never taken for an order', () => {
    const given = fc.tuple(fc.array(quantity, { maxLength: 8 }), fc.integer({ min: -50, max: 50 }));
    fc.assert(
      fc.property(given, ([reservations, edit]) => {
        const moves = reservations.map((units) => shift(0, units));
        const difference = plus(moves.reduce(plus, shift(0, 0)), shift(edit, 0));
        const rest = unexplainedShift(difference, moves);
        expect(shown(rest)).toEqual([edit, 0]);
        expect(classifyDrift(facts(rest))).toBe(edit === 0 ? null : 'edited');
      }),
    );
  });
});

function plus(a: Shift, b: Shift): Shift {
  return { quantity: a.quantity.plus(b.quantity).plus(ZERO), reserved: a.reserved.plus(b.reserved).plus(ZERO) };
}
