import { expect, test } from 'vitest';
import { moneyText } from '../../src/domain/money-text.ts';

test.each([
  ['999 USD', '999.00 USD'],
  ['13.3 EUR', '13.30 EUR'],
  ['1.125 USD', '1.125 USD'],
  ['1200 JPY', '1200 JPY'],
  ['-5 USD', '-5.00 USD'],
  ['18 cases', '18 cases'],
  ['listed', 'listed'],
])('the amount %s is written as %s', (text, said) => {
  expect(moneyText(text)).toBe(said);
});
