import { expect, test } from 'vitest';
import { createTurn } from '../../src/admin/session/turn.ts';

test('checks are made one after another, also after a failed one, and too many at once are rejected', async () => {
  const inTurn = createTurn(3);
  const order: string[] = [];
  const check = (name: string) => async () => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    if (name === 'one') throw new Error('it failed');
    return name;
  };
  const given = [inTurn(check('one')), inTurn(check('two')), inTurn(check('three'))];
  expect(inTurn(check('four'))).toBeNull();
  expect((await Promise.allSettled(given.map(async (each) => each))).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(order).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(await inTurn(check('five'))).toBe('five');
});
