import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, parseDecimal, sum } from '../../src/domain/decimal.ts';

test.each(['0', '12', '-3.50', '0.0001', '.5', '-.5', '5.', '99999999999999999999999999999.0000000001'])(
  '%s is a decimal',
  (text) => {
    expect(parseDecimal(text)?.equals(new Decimal(text))).toBe(true);
  },
);

test.each([
  '',
  ' ',
  '1e3',
  '1E-3',
  '.',
  '-.',
  '+5',
  '1,000',
  '0x10',
  'NaN',
  'Infinity',
  '-',
  '1 ',
  '１２',
  '9'.repeat(61),
])('"%s" is no decimal', (text) => expect(parseDecimal(text)).toBeNull());

test.each(['-0', '-0.0000'])('%s is zero, not a negative number', (text) => {
  expect(parseDecimal(text)?.isNegative()).toBe(false);
  expect(parseDecimal(text)?.toFixed()).toBe('0');
});

test('no digit is lost between text and decimal, and none in a sum', () => {
  const digits = fc.tuple(fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }), fc.bigInt({ min: 0n, max: 9999n }));
  const text = digits.map(([whole, part]) => `${whole}.${String(part).padStart(4, '0')}`);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      const values = texts.map((each) => parseDecimal(each) ?? new Decimal(Number.NaN));
      const exact = texts.reduce((total, each) => total + BigInt(each.replace('.', '')), 0n);
      expect(sum(values).times(10_000).toFixed()).toBe(exact.toString());
    }),
  );
});

test('sums that a float would get wrong come out right', () => {
  expect(sum([new Decimal('0.1'), new Decimal('0.2')]).toFixed()).toBe('0.3');
});
