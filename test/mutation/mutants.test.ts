import { expect, test } from 'vitest';
import { mutantsOf } from './mutants.ts';

const changed = (text: string) =>
  mutantsOf(text).map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end));

test.each([
  ['a comparison', 'f(a < b)', ['f(a <= b)']],
  ['a condition of two parts', 'f(a && b)', ['f(a || b)']],
  ['a denial', 'f(!a)', ['f(a)']],
  ['a truth', 'const a = true;', ['const a = false;']],
  ['a guard', 'if (a) f = 1;', ['if (true) f = 1;', 'if (false) f = 1;']],
  ['a choice', 'const a = b ? 1 : 2;', ['const a = true ? 1 : 2;', 'const a = false ? 1 : 2;']],
  ['an effect', 'await f(a);', [';']],
  ['a method that has an opposite', 'const a = b.plus(c);', ['const a = b.minus(c);']],
])('%s is changed into its opposite, or removed', (_, text, expected) => {
  expect(changed(text).filter((one) => one !== ';' || text.startsWith('await'))).toEqual(expected);
});

test.each([
  ['a type', 'type A = { readonly b: true };'],
  ['a sum of texts', "const a = b + 'c';"],
  ['an import', "import { a } from './b.ts';"],
])('%s has no opposite', (_, text) => {
  expect(mutantsOf(text)).toEqual([]);
});
