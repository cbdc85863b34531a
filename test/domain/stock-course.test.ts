import { Decimal } from 'decimal.js';
import { expect, test } from 'vitest';
import { type CourseStep, courseFrom, courseOf } from '../../src/domain/stock-course.ts';
import type { Share, StockEvent, StockPast } from '../../src/domain/stock-past.ts';

const units = (value: number) => new Decimal(value);
const reading = (atMs: number, available: number): StockEvent => ({
  kind: 'reading',
  atMs,
  available: units(available),
  asOf: '',
});
const order = (atMs: number, name: string, share: Share | null): StockEvent => ({
  kind: 'order',
  atMs,
  order: name,
  share,
});
const reserved = (quantity: number): Share => ({ effect: 'reserved', quantity: units(quantity) });
const consumed = (quantity: number): Share => ({ effect: 'consumed', quantity: units(quantity) });

function pastOf(events: readonly StockEvent[], shares: StockPast['shares'] = new Map()): StockPast {
  return { unitsIn: units(1), shares, events, holdings: new Map(), madeInErp: new Set() };
}

const shown = (steps: readonly CourseStep[]) =>
  steps.map(({ atMs, erp, buyers, by }) => [atMs, erp?.toNumber() ?? null, buyers?.toNumber() ?? null, by.kind]);

test("the stock course has the ERP's read figure, and for buyers the written figure less later orders", () => {
  const past = pastOf([
    reading(1, 10),
    order(3, 'A', reserved(4)),
    reading(4, 6),
    order(5, 'A', consumed(4)),
    order(7, 'B', reserved(2)),
    order(8, 'B', null),
  ]);
  const writes = [
    { atMs: 2, value: units(10) },
    { atMs: 6, value: units(9) },
  ];
  const steps = courseOf({ past, writes, field: 'available_inventory', shown: { atMs: 9, figure: units(9) } });
  expect(shown(steps)).toEqual([
    [1, 10, null, 'reading'],
    [2, 10, 10, 'write'],
    [3, 10, 6, 'order'],
    [4, 6, 6, 'reading'],
    [5, 6, 6, 'order'],
    [6, 6, 9, 'write'],
    [7, 6, 7, 'order'],
    [8, 6, 9, 'order'],
    [9, 6, 9, 'stands'],
  ]);
  expect(steps[7]?.by).toEqual({ kind: 'order', order: 'B', before: reserved(2), after: null });
});

test('a quantity that was written is reduced for buyers by the reservations of the marketplace', () => {
  const past = pastOf([reading(1, 10), order(3, 'B', reserved(1))], new Map([['A', reserved(4)]]));
  const writes = [{ atMs: 2, value: units(12) }];
  expect(shown(courseOf({ past, writes, field: 'quantity', shown: null }))).toEqual([
    [1, 10, null, 'reading'],
    [2, 10, 8, 'write'],
    [3, 10, 7, 'order'],
  ]);
});

test.each(['available_inventory', 'quantity'] as const)(
  'without a write of %s, what buyers could buy is computed back from the present figure',
  (field) => {
    const past = pastOf([reading(1, 10), order(2, 'A', reserved(3)), order(3, 'B', reserved(2)), order(4, 'A', null)]);
    const figure = units(field === 'quantity' ? 10 : 8);
    expect(shown(courseOf({ past, writes: [], field, shown: { atMs: 5, figure } }))).toEqual([
      [1, 10, 10, 'reading'],
      [2, 10, 7, 'order'],
      [3, 10, 5, 'order'],
      [4, 10, 8, 'order'],
      [5, 10, 8, 'stands'],
    ]);
  },
);

test('unreadable figures of the ERP, and a marketplace without a write, are unknown in the course of the stock', () => {
  const past = pastOf([{ kind: 'reading', atMs: 1, available: null, asOf: '' }, order(2, 'A', reserved(3))]);
  expect(shown(courseOf({ past, writes: [], field: 'quantity', shown: null }))).toEqual([
    [1, null, null, 'reading'],
    [2, null, null, 'order'],
  ]);
});

test('a course of the stock from a time on begins with the stock at that time', () => {
  const writes = [
    { atMs: 2, value: units(10) },
    { atMs: 6, value: units(9) },
  ];
  const steps = courseOf({ past: pastOf([reading(1, 10)]), writes, field: 'quantity', shown: null });
  expect(shown(courseFrom(steps, 4))).toEqual([
    [4, 10, 10, 'stands'],
    [6, 10, 9, 'write'],
  ]);
  expect(courseFrom(steps, 0)).toEqual(steps);
});
