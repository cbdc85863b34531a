import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ONE } from '../../src/domain/decimal.ts';
import { figureShift, isForeseeable, type LedgerLine, stockTarget } from '../../src/domain/ledger.ts';
import type { Effect } from '../../src/domain/status.ts';
import { exact } from '../support/units.ts';

const d = (text: string) => exact(text);
const line = (quantity: string, effect: Effect, counted: boolean): LedgerLine => ({
  order: 'o',
  quantity: d(quantity),
  effect,
  counted,
});
const target = (field: 'quantity' | 'available_inventory', erp: string, lines: LedgerLine[] = [], buffer = '0') => {
  const { value, available, reserved } = stockTarget(field, d(erp), d(buffer), lines, ONE);
  return [value, available, reserved].map((figure) => figure.toFixed());
};

test('with nothing in flight, both stock fields equal what the ERP has available', () => {
  expect(target('quantity', '40')).toEqual(['40', '40', '0']);
  expect(target('available_inventory', '40')).toEqual(['40', '40', '0']);
});

test.each([
  ['reserved, not counted', line('7', 'reserved', false), '40', '33', '7'],
  ['reserved, counted', line('7', 'reserved', true), '47', '40', '7'],
  ['consumed, not counted', line('7', 'consumed', false), '33', '33', '0'],
  ['consumed, counted', line('7', 'consumed', true), '40', '40', '0'],
  ['nowhere, not counted', line('7', 'none', false), '40', '40', '0'],
  ['nowhere, counted: the ERP still holds what is dead', line('7', 'none', true), '40', '40', '0'],
])('the stock ledger with one line: %s', (_, one, quantity, available, reserved) => {
  expect(target('quantity', '40', [one])).toEqual([quantity, available, reserved]);
  expect(target('available_inventory', '40', [one])).toEqual([available, available, reserved]);
});

test('the stock ledger keeps the buffer back', () => {
  expect(target('quantity', '40', [line('7', 'reserved', true)], '5.5')).toEqual(['41.5', '34.5', '7']);
  expect(target('available_inventory', '40', [], '5.5')).toEqual(['34.5', '34.5', '0']);
});

test('stock below zero is written as zero and reported with its true figure', () => {
  expect(target('available_inventory', '3', [line('7', 'reserved', false)])).toEqual(['0', '-4', '7']);
  expect(target('quantity', '-30', [line('7', 'reserved', true)])).toEqual(['0', '-30', '7']);
});

test('a quantity below the reserved units takes nothing from open orders', () => {
  expect(target('quantity', '-30', [line('90', 'reserved', true)])).toEqual(['60', '-30', '90']);
});

test('a negative zero in the stock ledger is zero', () => {
  expect(target('available_inventory', '-0')).toEqual(['0', '0', '0']);
});

test('where a listing counts cases, a quantity is whole cases, also while more is ordered than there is', () => {
  const { value, available } = stockTarget('quantity', d('7'), d('0'), [line('12', 'reserved', false)], d('12'));
  expect([value, available].map((figure) => figure.toFixed())).toEqual(['0', '-5']);
});

test('fractions in the stock ledger add up exactly', () => {
  const lines = [line('0.1', 'consumed', false), line('0.2', 'reserved', false)];
  expect(target('available_inventory', '0.3', lines)).toEqual(['0', '0', '0.2']);
});

test('whichever stock field is written, the marketplace has the same available figure', () => {
  const quantity = fc.integer({ min: 0, max: 1_000_000 }).map((n) => exact(exact(n).dividedBy(10_000)));
  const lines = fc.array(
    fc.record({
      order: fc.constant('o'),
      quantity,
      effect: fc.constantFrom<Effect>('reserved', 'consumed', 'none'),
      counted: fc.boolean(),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(quantity, lines, (erp, some) => {
      const byQuantity = stockTarget('quantity', erp.plus(2_000), d('0'), some, ONE);
      const byAvailable = stockTarget('available_inventory', erp.plus(2_000), d('0'), some, ONE);
      // Spec 1, Inventory setting rules 2 and 3.
      expect(byQuantity.value.minus(byQuantity.reserved).equals(byAvailable.value)).toBe(true);
    }),
  );
});

describe('how an order event moves the figures (spec 1, Inventory effects of order events)', () => {
  const at = (effect: Effect, quantity = '7') => ({ effect, quantity: d(quantity) });
  test.each([
    ['new order submitted', at('none'), at('reserved'), '0', '7'],
    ['accepted', at('reserved'), at('reserved'), '0', '0'],
    ['Submitted or Accepted rejected', at('reserved'), at('none'), '0', '-7'],
    ['fulfilled', at('reserved'), at('consumed'), '-7', '-7'],
    ['shipped', at('consumed'), at('consumed'), '0', '0'],
    ['Fulfilled or Shipped rejected', at('consumed'), at('none'), '7', '0'],
    ['edited while reserved', at('reserved', '7'), at('reserved', '9.5'), '0', '2.5'],
    ['edited and fulfilled', at('reserved', '7'), at('consumed', '9'), '-9', '-7'],
    ['added late', at('none'), at('none'), '0', '0'],
  ])('an order event moves the figures: %s', (_, before, after, quantity, reserved) => {
    const shift = figureShift(before, after);
    expect([shift.quantity.toFixed(), shift.reserved.toFixed()].map((text) => text.replace(/^-0$/, '0'))).toEqual([
      quantity,
      reserved,
    ]);
  });
});

describe('the effect of an order event on the figures is foreseen only where the spec says it', () => {
  const at = (status: string, effect: Effect, quantity = '7') => ({ status, effect, quantity: d(quantity) });
  const submitted = at('Submitted', 'reserved');
  const fulfilled = at('Fulfilled', 'consumed');
  test.each([
    ['a new order', null, submitted],
    ['a line known to be late', null, at('Shipped', 'none')],
    ['edited while reserved', submitted, at('Accepted', 'reserved', '9')],
    ['deleted while reserved', submitted, null],
    ['rejected', submitted, at('Rejected', 'none')],
    ['canceled', submitted, at('Canceled', 'none')],
    ['put on backorder', submitted, at('Backorder', 'none')],
    ['fulfilled', submitted, fulfilled],
    ['fulfilled and shipped at once', submitted, at('Shipped', 'consumed')],
    ['complete', fulfilled, at('Complete', 'consumed')],
    ['fulfilled and rejected', fulfilled, at('Rejected', 'none')],
    ['nothing of a late line', at('Fulfilled', 'none'), at('Rejected', 'none')],
    ['a late line deleted', at('Fulfilled', 'none'), null],
  ])('the effect of an order event is predicted: %s', (_, before, after) =>
    expect(isForeseeable(before, after)).toBe(true),
  );

  test.each([
    ['a line first seen after Accepted', null, fulfilled],
    ['edited and fulfilled at once', submitted, at('Fulfilled', 'consumed', '9')],
    ['edited after Accepted', fulfilled, at('Fulfilled', 'consumed', '9')],
    ['deleted after Accepted', fulfilled, null],
    ['canceled after Accepted', fulfilled, at('Canceled', 'none')],
    ['complete and rejected', at('Complete', 'consumed'), at('Rejected', 'none')],
    ['to a status nobody knows', fulfilled, at('Combined', 'none')],
    ['back to Accepted', fulfilled, at('Accepted', 'reserved')],
    ['off backorder', at('Backorder', 'none'), at('Accepted', 'reserved')],
    ['off backorder and fulfilled', at('Backorder', 'none'), fulfilled],
    ['alive again', at('Canceled', 'none'), submitted],
  ])('the effect of an order event is not predicted: %s', (_, before, after) =>
    expect(isForeseeable(before, after)).toBe(false),
  );
});
