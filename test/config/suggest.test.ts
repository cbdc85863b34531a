import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../src/config/suggest.ts';

const KEYS = ['base_url', 'seller_id', 'erp', 'poll', 'brakes'];

test.each([
  ['base_ulr', 'base_url'],
  ['baseurl', 'base_url'],
  ['Base_URL', 'base_url'],
  ['selerid', 'seller_id'],
  ['er', 'erp'],
  ['break', null],
  ['brake', 'brakes'],
  ['token', null],
  ['x', null],
  ['', null],
  ['p'.repeat(10_000), null],
])('the nearest name to %j is %j', (word, key) => {
  expect(nearest(word, KEYS)).toBe(key);
});

test('the nearest of several names is suggested, and none when none is near', () => {
  expect(nearest('orders', ['order', 'orders_', 'orders'])).toBe('orders');
  expect(didYouMean('pol', KEYS)).toBe('; did you mean "poll"?');
  expect(didYouMean('nothing', KEYS)).toBe('');
});
