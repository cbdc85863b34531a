import { expect, test } from 'vitest';
import { heldText, lasting } from '../../src/admin/screen/show.ts';

test.each([
  [1, '1 entity is held.'],
  [11, '11 entities are held.'],
])('%i held is told in words that agree with the number', (count, text) => expect(heldText(count)).toBe(text));

test('a time that goes on is told by how long it has lasted', () => {
  expect(lasting(0, 31_000).text).toContain('for 31 s');
});
