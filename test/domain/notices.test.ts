import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Notice, noticesAfter, SETTLE_MS, type Sight, type StandingConcern } from '../../src/domain/notices.ts';

const held: StandingConcern = { kind: 'held', about: 'product', code: 'price-finer', count: 3, of: ['product'] };

const SEEN: Sight = { seen: ['product', 'stock'], unseen: [], isAway: false };
const BLIND: Sight = { seen: ['stock'], unseen: ['product'], isAway: false };

/** Plays looks, with the concerns that stand at each of these times. Answers every message with its time. */
function play(looks: readonly (readonly [atMs: number, standing: readonly StandingConcern[], sight?: Sight])[]) {
  let notices: readonly Notice[] = [];
  return looks.flatMap(([atMs, standing, sight = SEEN]) => {
    const after = noticesAfter(notices, standing, sight, atMs);
    notices = after.notices;
    return after.told.map(({ event, concern }) => [atMs, event, concern.code, concern.count] as const);
  });
}

const MINUTE = 60_000;

test('a lasting cause sends one message when it opens and one when it closes', () => {
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

test('a cause that lasts less than a minute sends no message', () => {
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

test('a clock that was set back delays a message by at most a minute more', () => {
  expect(
    play([
      [10 * MINUTE, [held]],
      [0, [held]],
      [MINUTE, [held]],
    ]),
  ).toEqual([[MINUTE, 'opened', 'price-finer', 3]]);
});

test('no message says that a cause is over while it cannot be checked, nor right after that', () => {
  expect(
    play([
      [0, [held]],
      [MINUTE, [held]],
      [2 * MINUTE, [], BLIND],
      [9 * MINUTE, [], BLIND],
      [10 * MINUTE, []],
      [11 * MINUTE, []],
    ]),
  ).toEqual([
    [MINUTE, 'opened', 'price-finer', 3],
    [11 * MINUTE, 'closed', 'price-finer', 3],
  ]);
});

test('no message says that a cause has begun while it cannot be checked, and the minute begins when it can be', () => {
  expect(
    play([
      [0, [held], BLIND],
      [5 * MINUTE, [held], BLIND],
      [6 * MINUTE, [held]],
      [6.5 * MINUTE, [held]],
      [7 * MINUTE, [held]],
    ]),
  ).toEqual([[7 * MINUTE, 'opened', 'price-finer', 3]]);
});

test.each([
  ['what several flows share is not known while one of them is not', { ...held, about: 'customers' }, 0],
  ['a plan of a brake is on record', { ...held, kind: 'brake', about: 'product, price' }, 1],
  ['a side that is away is known for itself', { ...held, kind: 'alert', about: 'erp' }, 1],
  ['another flow is seen', { ...held, about: 'stock' }, 1],
  ['a row of a list that is read', { ...held, kind: 'invalid row', about: 'orders' }, 1],
] as const)('the messages of a cause: %s', (_, concern, count) => {
  expect(
    play([
      [0, [concern], BLIND],
      [MINUTE, [concern], BLIND],
    ]),
  ).toHaveLength(count);
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

const shared: StandingConcern = {
  kind: 'held',
  about: 'orders: status',
  code: 'price-finer',
  count: 3,
  of: ['product', 'stock'],
};

test.each<[string, Sight, boolean]>([
  ['all of its flows can be looked at', SEEN, true],
  ['one of its flows can be looked at', BLIND, true],
  [
    'a list of another flow is unread for ever',
    { seen: ['product', 'stock'], unseen: ['images'], isAway: false },
    true,
  ],
  ['none of its flows can be looked at', { seen: ['images'], unseen: ['product', 'stock'], isAway: false }, false],
])('a cause that flows share, while %s, sends a message when it begins: %s', (_, sight, isTold) => {
  const told = play([
    [0, [shared], sight],
    [MINUTE, [shared], sight],
  ]);
  expect(told).toEqual(isTold ? [[MINUTE, 'opened', 'price-finer', 3]] : []);
});

test('a cause that flows share is reported as over while a list is never read, and not while a side is unreachable', () => {
  const began = [
    [0, [shared]],
    [MINUTE, [shared]],
  ] as const;
  const over = (sight: Sight) =>
    play([...began, [2 * MINUTE, [], sight], [3 * MINUTE, [], sight]]).map(([, event]) => event);
  expect(over({ seen: ['product', 'stock'], unseen: ['images'], isAway: false })).toEqual(['opened', 'closed']);
  expect(over({ seen: [], unseen: ['product', 'stock', 'images'], isAway: true })).toEqual(['opened']);
});
