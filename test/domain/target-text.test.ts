import { expect, test } from 'vitest';
import { targetInShop } from '../../src/domain/target-text.ts';

test.each([
  ['listing 70 (SB-1) available_inventory', 'listing 70 (SB-1), available stock'],
  ['listing 70 quantity', 'listing 70, quantity on hand'],
  ['external_id of order 9f1c0a52', 'ERP number on order 9f1c0a52'],
  ['listing of available_inventory', 'listing of available_inventory'],
  ['listing 70 (SB-1)', 'listing 70 (SB-1)'],
])('the target %s is shown as %s', (target, shown) => {
  expect(targetInShop(target)).toBe(shown);
});
