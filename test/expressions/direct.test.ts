import { expect, test } from 'vitest';
import { directOf, NEEDS_ENGINE } from '../../src/expressions/direct.ts';
import { readExpression } from '../../src/expressions/parse.ts';
import { plainValue } from '../../src/expressions/plain.ts';

const NAMES = ['since', 'draft', 'none'];
const GIVEN = { since: '2030-01-01', draft: { note: 'x', lines: [1], empty: null } };
const VALUES: readonly unknown[] = [
  null,
  [],
  [{ next: 1 }],
  'text',
  {},
  { next: null },
  { next: 'c2', error: 'no', a: { b: { c: [1], d: '1.50' } } },
  { next: 7, error: { code: 1 }, a: [{ b: 1 }, { b: 2 }] },
  { next: ['x'], error: 5, a: 'text' },
  { next: [['x']], error: true, a: null },
];

test.each([
  'next',
  'a.b',
  'a.b.c',
  'a.b.d',
  '$',
  '$.next',
  '`next`',
  'toString',
  'a.length',
  'a.constructor',
  '"text"',
  'null',
  '$since',
  '$none',
  '$none.x',
  '$draft.note',
  '$draft.empty',
  '$draft.empty.x',
  '$type(error)',
  '$type(error) = "string"',
  'next = "c2"',
  'next = missing',
  'missing = missing',
])('the expression %s is answered as the engine answers it', async (text) => {
  const parsed = readExpression(text);
  const direct = directOf(parsed.ast(), NAMES);
  expect(direct).not.toBeNull();
  for (const value of VALUES) {
    const found = direct?.(value, GIVEN);
    if (found === NEEDS_ENGINE) continue;
    const told = plainValue(await parsed.evaluate(structuredClone(value), GIVEN));
    expect([value, found]).toEqual([value, told]);
  }
});

test.each(['a[0]', 'a[]', 'a{b: c}', 'a@$x.b', '**', '$uppercase(a)', 'a.(b)', 'next & "x"', '$sum', '$$', '$since[]'])(
  'the expression %s is left to the engine',
  (text) => {
    expect(directOf(readExpression(text).ast(), NAMES)).toBeNull();
  },
);
