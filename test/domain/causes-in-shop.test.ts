import { expect, test } from 'vitest';
import { CODES, type Code, exampleOf, shownCause } from '../../src/domain/causes/cause.ts';
import { sentenceInShop } from '../../src/domain/causes/in-shop.ts';

const told = (code: Code, product: string | null) => sentenceInShop(shownCause(exampleOf(code)), { product });

test.each([
  ['brake-plan', 'Green tea would be archived'],
  ['brake-refused', 'Green tea would be archived, which was excepted by anna'],
  [
    'fall-refused',
    'buyers can order 240 units of Green tea, but none is in stock: the write of the lower stock was dropped by anna',
  ],
  ['dry-run', 'this is a dry run, in which nothing is written'],
  ['paused', 'it is paused: stocktaking'],
] as const)('the cause %s is described with the name of the product', (code, words) => {
  expect(told(code, 'Green tea')).toBe(words);
});

test('no sentence for a shop contains the name of a kind of write', () => {
  const raw = (Object.keys(CODES) as Code[]).filter((code) =>
    /\b(?:product|stock|order-in)\.[a-z]+/.test(told(code, null)),
  );
  expect(raw).toEqual([]);
});
