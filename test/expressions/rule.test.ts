import { expect, test } from 'vitest';
import { compileRule, evaluateRule, ruleProblems } from '../../src/expressions/rule.ts';

const PRODUCT = { price: { amount: '2.50', currency: 'USD' }, attributes: { sale: '2.10' } };
const make = (rule: Parameters<typeof compileRule>[0], product: unknown = PRODUCT) =>
  evaluateRule(compileRule(rule), product, 'field');

test('in a row rule a text is an expression, an object or list holds rules, and anything else is a constant', async () => {
  expect(await make('attributes.sale')).toBe('2.10');
  expect(await make(7)).toBe(7);
  expect(await make(true)).toBe(true);
  expect(await make({ amount: 'attributes.sale', currency: 'price.currency', taxed: false, note: null })).toEqual({
    amount: '2.10',
    currency: 'USD',
    taxed: false,
    note: null,
  });
  expect(await make(['attributes.sale', 'attributes.unheard_of', 3])).toEqual(['2.10', 3]);
});

test('an object with a missing part is left out: half an amount of money is none', async () => {
  const money = { amount: 'attributes.sale', currency: 'price.currency' };
  expect(await make({ deal: money }, { ...PRODUCT, attributes: {} })).toBeUndefined();
});

test('a failed part of a rule is named', async () => {
  await expect(make({ amount: '1 / 2' })).rejects.toThrow('field.amount: its result is the number 0.5');
  await expect(make(['1', '$error("no")'])).rejects.toThrow('field[1]: ');
});

test('every rule that cannot be compiled is found, with its path', () => {
  const rule = { a: 'x(', b: { c: ['sku', '$nope'] }, d: 2.5, e: 3, f: false };
  expect(ruleProblems(rule, ['fields'])).toEqual([
    { path: ['fields', 'a'], message: 'is no JSONata expression: character 2: Expected ")" before end of expression' },
    { path: ['fields', 'b', 'c', 1], message: 'is no JSONata expression: there is no $nope' },
    { path: ['fields', 'd'], message: `write a decimal as a text of the expression: '"2.5"'` },
  ]);
});
