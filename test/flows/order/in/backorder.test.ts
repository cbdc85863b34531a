import { expect, test } from 'vitest';
import type { OrderLine } from '../../../../src/domain/order.ts';
import { isBackInStock } from '../../../../src/flows/order/in/backorder.ts';
import type { StoredProduct } from '../../../../src/store/marketplace.ts';
import { exact, IN_UNITS, LINES_IN_CASES } from '../../../support/units.ts';

const d = (text: string) => exact(text);
const line = (productId: number, quantity: string) =>
  ({ productId, quantity: d(quantity), unitMultiplier: null }) as unknown as OrderLine;
const listing = (available: string | null, changes: Partial<StoredProduct> = {}) =>
  ({
    archived: false,
    managed: true,
    unitMultiplier: d('12'),
    figures: { available: available === null ? null : d(available), quantity: null, reserved: null },
    ...changes,
  }) as unknown as StoredProduct;

test.each<[string, OrderLine[], StoredProduct | null, boolean]>([
  ['as many as there are', [line(1, '5')], listing('5'), true],
  ['one more than there are', [line(1, '6')], listing('5'), false],
  ['two lines of one product share it', [line(1, '3'), line(1, '3')], listing('5'), false],
  ['a figure that is not known', [line(1, '1')], listing(null), false],
  ['a listing that is not known', [line(1, '1')], null, false],
  ['an archived listing', [line(1, '1')], listing('5', { archived: true }), false],
  ['a listing whose stock the marketplace does not keep', [line(1, '9')], listing('5', { managed: false }), true],
  ['no line', [], listing('5'), false],
])('an order on backorder: %s', (_, lines, known, expected) => {
  expect(isBackInStock(lines, () => known, IN_UNITS)).toBe(expected);
});

test('lines in cases take as many units as the cases hold', () => {
  expect(isBackInStock([line(1, '2')], () => listing('24'), LINES_IN_CASES)).toBe(true);
  expect(isBackInStock([line(1, '2')], () => listing('23'), LINES_IN_CASES)).toBe(false);
});

test('an order on backorder whose lines were not read is not assumed to be in stock', () => {
  expect(isBackInStock(null, () => listing('5'), IN_UNITS)).toBe(false);
});
