import { describe, expect, test } from 'vitest';
import { Decimal } from '../../src/domain/decimal.ts';
import { erpQuantity, magnitudeProblem, quantityProblem } from '../../src/domain/quantity.ts';

describe('a value', () => {
  test.each(['0', '-0', '1', '0.0001', '12.5000', '99999999.9999'])('%s can be a quantity', (text) => {
    expect(quantityProblem(new Decimal(text))).toBeNull();
  });

  test.each([
    ['-0.0001', 'is negative (-0.0001)'],
    ['-5', 'is negative (-5)'],
    ['1.00001', 'has more than 4 fractional digits (1.00001)'],
    ['100000000', 'is not below 100000000 (100000000)'],
    ['1e30', 'is not below 100000000 (1000000000000000000000000000000)'],
    ['NaN', 'is not a number (NaN)'],
    ['Infinity', 'is not a number (Infinity)'],
  ])('%s cannot: it %s', (text, problem) => expect(quantityProblem(new Decimal(text))).toBe(problem));

  test('digits that are only zeros are none', () => {
    expect(quantityProblem(new Decimal('1.0000000'))).toBeNull();
  });

  test("an ERP's available figure may be below zero, with the same limits of digits and size", () => {
    expect(magnitudeProblem(new Decimal('-5'))).toBeNull();
    expect(magnitudeProblem(new Decimal('-0.00001'))).toContain('fractional digits');
    expect(magnitudeProblem(new Decimal('-100000000'))).toContain('is not below');
  });
});

describe('a line in ERP units', () => {
  const q = new Decimal('2.5');
  test.each([
    ['units', '12', '2.5'],
    ['units', null, '2.5'],
    ['cases', '12', '30'],
    ['cases', '1', '2.5'],
    ['cases', null, null],
  ] as const)('in %s, %s units a case: %s', (unit, multiplier, expected) => {
    expect(erpQuantity(q, unit, multiplier === null ? null : new Decimal(multiplier))?.toFixed() ?? null).toBe(
      expected,
    );
  });
});
