import { expect, test } from 'vitest';
import { compileExpression, expressionProblem } from '../../src/expressions/expression.ts';
import { ExpressionError } from '../../src/expressions/expression-error.ts';

const PRODUCT = {
  sku: 'SB-0001',
  price: { amount: '12.5000000000000000001', currency: 'USD' },
  attributes: { min_order: '24', weight: '3.50', packs: 5, tags: ['a'], images: ['/a.png', '/b.png'], none: null },
};

const make = (text: string) => compileExpression(text).evaluate(PRODUCT);

test.each<[string, unknown]>([
  ['attributes.min_order', '24'],
  ['attributes.packs', 5],
  ['attributes.packs * 12', 60],
  ['price.amount', '12.5000000000000000001'],
  ['price.amount & " " & price.currency', '12.5000000000000000001 USD'],
  ['{"amount": price.amount, "currency": price.currency}', { amount: '12.5000000000000000001', currency: 'USD' }],
  ['{"amount": attributes.unheard_of, "currency": price.currency}', { currency: 'USD' }],
  ['$lookup({"SB-0001": "Jars"}, sku)', 'Jars'],
  ['$lookup({"SB-0002": "Jars"}, sku)', undefined],
  ['attributes.unheard_of', undefined],
  ['attributes.none', null],
  ['true', true],
  ['"2.50"', '2.50'],
  ['attributes.tags', ['a']],
  [
    '$map(attributes.images, function($url, $at) { {"url": "https://img" & $url, "position": $at} })',
    [
      { url: 'https://img/a.png', position: 0 },
      { url: 'https://img/b.png', position: 1 },
    ],
  ],
  ['attributes.images@$image#$at.$image', ['/a.png', '/b.png']],
])('an expression is computed: %s', async (text, value) => {
  expect(await make(text)).toEqual(value);
});

test.each([
  ['price.amount * 2', /character 14: The left side of the "\*" operator must evaluate to a number; decimals are text/],
  ['2 - price.amount', /right side of the "-" operator must evaluate to a number; decimals are text/],
  ['$sum([price.amount])', /must be an array of/],
  ['attributes.packs / 2', /^its result is the number 2.5: only whole numbers are exact, write a decimal as text$/],
  ['$number(price.amount) * 1.1', /its result is the number 13.75/],
  ['{"nested": [0.5]}', /its result is the number 0.5/],
  ['9007199254740993', /its result is the number 9007199254740992/],
])('a decimal in an expression never becomes a float: %s', async (text, message) => {
  await expect(make(text)).rejects.toThrow(message);
  await expect(make(text)).rejects.toBeInstanceOf(ExpressionError);
});

test.each<[string, string]>([
  ['attributes.(', 'character 12: Expected ")" before end of expression'],
  ['foo(', 'character 4: Expected ")" before end of expression'],
  ['a b', 'character 3: Syntax error: "b"'],
  ['"open', 'character 5: String literal must be terminated by a matching quote'],
  ['$lokup({}, sku)', 'there is no $lokup'],
  ['$name', 'there is no $name'],
  ['$now()', 'there is no $now'],
  ['$random()', 'there is no $random'],
  ['$eval("1")', 'there is no $eval'],
])('an unreadable expression is reported with the place of the error: %s', (text, problem) => {
  expect(expressionProblem(text)).toBe(problem);
  expect(() => compileExpression(text)).toThrow(ExpressionError);
});

test('names that an expression itself defines are known', () => {
  expect(expressionProblem('($x := sku; $f := function($y) { $y & $x }; $f($$.sku & $string($)))')).toBeNull();
});

test.each([
  ['($f := function($n) { $f($n) }; $f(1))', /timeout after 1000 milliseconds/],
  ['($f := function($n) { 1 + $f($n) }; $f(1))', /Stack overflow/],
  ['[1..20000]', /maximum sequence length/],
  ['$pad("", 100001, "x")', /more than 100000 characters/],
  ['$uppercase', /its result is a function: it has to be called/],
  ['function($x) { $x }', /its result is a function/],
  ['$error("not this one")', /not this one/],
])('every expression ends: %s', async (text, message) => {
  await expect(make(text)).rejects.toThrow(message);
});

test('an expression can read nothing but the product', async () => {
  for (const text of ['process', 'globalThis', 'constructor', '__proto__', '$$.constructor']) {
    expect(await make(text)).toBeUndefined();
  }
});
