import { expect, test } from 'vitest';
import { magnitudeProblem, quantityProblem } from '../../src/domain/quantity.ts';
import { exact } from '../support/units.ts';

test.each(['0', '-0', '1', '0.0001', '12.5000', '99999999.9999'])('the value %s can be a quantity', (text) => {
  expect(quantityProblem(exact(text))).toBeNull();
});

test.each([
  ['-0.0001', 'is negative (-0.0001)'],
  ['-5', 'is negative (-5)'],
  ['1.00001', 'has more than 4 fractional digits (1.00001)'],
  ['100000000', 'is not below 100000000 (100000000)'],
  ['1e30', 'is not below 100000000 (1000000000000000000000000000000)'],
  ['NaN', 'is not a number (NaN)'],
  ['Infinity', 'is not a number (Infinity)'],
])('the value %s cannot be a quantity: it %s', (text, problem) => expect(quantityProblem(exact(text))).toBe(problem));

test('trailing zeros do not count as digits of a quantity', () => {
  expect(quantityProblem(exact('1.0000000'))).toBeNull();
});

test("an ERP's available figure may be below zero, with the same limits of digits and size", () => {
  expect(magnitudeProblem(exact('-5'))).toBeNull();
  expect(magnitudeProblem(exact('-0.00001'))).toContain('fractional digits');
  expect(magnitudeProblem(exact('-100000000'))).toContain('is not below');
});
