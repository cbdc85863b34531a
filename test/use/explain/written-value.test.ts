import { expect, test } from 'vitest';
import { writtenValue } from '../../../src/use/explain/sides.ts';

test.each([
  ['"House blend"', 'House blend'],
  ['12.5000', '12.5000'],
  ['true', true],
  ['null', null],
  ['{"amount":12.50,"currency":"USD"}', '12.50 USD'],
  ['{"amount":3}', '3'],
  ['{"sub_category":{"name":"Beans"},"organic":true}', 'sub category: name: Beans, organic: yes'],
  ['["a","b"]', ['a', 'b']],
  ['[{"amount":1,"currency":"EUR"}]', ['1 EUR']],
  ['not shown', 'not shown'],
])('a value written as %s is displayed without its JSON', (sent, shown) => {
  expect(writtenValue(sent)).toEqual(shown);
});
