import { expect, test } from 'vitest';
import { moneyText } from '../../src/domain/money-text.ts';

test.each([
  ['999 USD', '999.00 USD'],
  ['13.3 EUR', '13.30 EUR'],
  ['1.125 USD', '1.125 USD'],
  ['1200 JPY', '1,200 JPY'],
  ['1234567.5 USD', '1,234,567.50 USD'],
  ['12 USD for a case of 12', '12.00 USD for a case of 12'],
  ['0.5 USD a unit, 24 to a case', '0.50 USD a unit, 24 to a case'],
  [
    'reserved: 3 x SB-1 at 12, 1 x SB-2 at 1000; total 1036.00 USD',
    'reserved: 3 x SB-1 at 12.00 USD, 1 x SB-2 at 1,000.00 USD; total 1,036.00 USD',
  ],
  ['3 x SB-1 at 12 USD, 1 x SB-2 at 1000 USD', '3 x SB-1 at 12.00 USD, 1 x SB-2 at 1,000.00 USD'],
  ['3 x SB-1 at 12', '3 x SB-1 at 12'],
  ['name "12 USD gift"', 'name "12 USD gift"'],
  ['3 ERP orders', '3 ERP orders'],
  ['-5 USD', '-5.00 USD'],
  ['18 cases', '18 cases'],
  ['listed', 'listed'],
])('the amount %s is written as %s', (text, said) => {
  expect(moneyText(text)).toBe(said);
});
