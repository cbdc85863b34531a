import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Concern, type Notice, noticesAfter, SETTLE_MS } from '../../src/domain/notices.ts';

const held: Concern = { kind: 'held', about: 'product', code: 'price-finer', count: 3 };

/** Plays looks, with the concerns that stand at each of these times. Answers every message with its time. */
function play(looks: readonly (readonly [atMs: number, standing: readonly Concern[]])[]) {
  let notices: readonly Notice[] = [];
  return looks.flatMap(([atMs, standing]) => {
    const after = noticesAfter(notices, standing, atMs);
    notices = after.notices;
    return after.told.map(({ event, concern }) => [atMs, event, concern.code, concern.count] as const);
  });
}

const MINUTE = 60_000;

test('a cause that lasts is told once when it opens and once when it closes', () => {
  const more = { ...held, count: 9 };
  expect(
    play([
      [0, [held]],
      [MINUTE, [held]],
      [2 * MINUTE, [more]],
      [3 * MINUTE, []],
      [4 * MINUTE, []],
      [5 * MINUTE, []],
    ]),
  ).toEqual([
    [MINUTE, 'opened', 'price-finer', 3],
    [4 * MINUTE, 'closed', 'price-finer', 9],
  ]);
});

test('a concern that comes and goes within a minute is not told', () => {
  expect(
    play([
      [0, [held]],
      [30_000, []],
      [61_000, [held]],
      [62_000, []],
    ]),
  ).toEqual([]);
});

test('a cause that is gone for less than a minute has not closed', () => {
  expect(
    play([
      [0, [held]],
      [MINUTE, [held]],
      [2 * MINUTE, []],
      [2.5 * MINUTE, [held]],
      [3 * MINUTE, []],
      [3.5 * MINUTE, [held]],
    ]),
  ).toEqual([[MINUTE, 'opened', 'price-finer', 3]]);
});

test('a clock that is set back keeps nothing waiting for longer than a minute more', () => {
  expect(
    play([
      [10 * MINUTE, [held]],
      [0, [held]],
      [MINUTE, [held]],
    ]),
  ).toEqual([[MINUTE, 'opened', 'price-finer', 3]]);
});

test('in any story, the messages about each cause alternate: opened, closed, opened', () => {
  const codes = fc.subarray(['a', 'b', 'c']);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 * SETTLE_MS }), codes), { maxLength: 40 }), (steps) => {
      let atMs = 0;
      const looks = steps.map(([waitMs, standing]) => {
        atMs += waitMs;
        return [atMs, standing.map((code) => ({ ...held, code }))] as const;
      });
      for (const code of ['a', 'b', 'c']) {
        const events = play(looks).filter(([, , of]) => of === code);
        for (const [index, [, event]] of events.entries()) expect(event).toBe(index % 2 === 0 ? 'opened' : 'closed');
      }
    }),
  );
});
