import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decimalText,
  parseJson,
  rawNumber,
  stringifyJson,
  wireDecimal,
} from '../../../src/marketplace/operations/wire.ts';

test.each([
  '12.5000',
  '0.1',
  '-0',
  '-0.00',
  '9007199254740993',
  '12345678901234567890.12345678901234567890',
  '1e400',
  '1.0E-7',
  '7',
  '{"a":[1.10,{"b":null,"c":true}],"d":"1.10","__proto__":2.0}',
])('%s comes back byte for byte', (text) => {
  expect(stringifyJson(parseJson(text))).toBe(text);
});

test('any number keeps its digits through a document', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,18})?$/);
  fc.assert(
    fc.property(digits, (text) => {
      const json = `{"quantity":${text},"price":{"amount":${text}}}`;
      const value = parseJson(json) as { quantity: unknown };
      expect(decimalText(value.quantity)).toBe(text);
      expect(stringifyJson(value)).toBe(json);
      expect(stringifyJson([rawNumber(text)])).toBe(`[${text}]`);
    }),
  );
});

test.each([
  [5, true],
  ['12.5000', true],
  [rawNumber('-3.25'), true],
  [12.5, false],
  [Number.NaN, false],
  [rawNumber('1e3'), false],
  ['1e3', false],
  ['1,5', false],
  ['', false],
  [' 1', false],
  [null, false],
  [{}, false],
  ['1'.repeat(31), false],
])('%j as a decimal: %s', (value, fits) => {
  expect(wireDecimal.safeParse(value).success).toBe(fits);
});
