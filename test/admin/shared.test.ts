import { expect, test } from 'vitest';
import { createShared } from '../../src/admin/screen/shared.ts';

function counted(nowMs = { now: 0 }, tookMs = 100) {
  const shared = createShared<number>(() => nowMs.now);
  let made = 0;
  const ask = (key = 'main') =>
    shared.get(key, async () => {
      made += 1;
      await Promise.resolve();
      nowMs.now += tookMs;
      return made;
    });
  return { shared, ask, clock: nowMs };
}

test('requests at the same time or soon after share one answer', async () => {
  const { ask, clock } = counted();
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  clock.now += 999;
  expect(await ask()).toBe(1);
  clock.now += 1;
  expect(await ask()).toBe(2);
});

test('a shared answer that takes very long is used for half a minute and no longer', async () => {
  const { ask, clock } = counted({ now: 0 }, 60_000);
  await ask();
  clock.now += 29_999;
  expect(await ask()).toBe(1);
  clock.now += 1;
  expect(await ask()).toBe(2);
});

test('after an act the shared answer is computed anew, and each account has its own', async () => {
  const { ask, shared } = counted();
  expect([await ask(), await ask('second'), await ask()]).toEqual([1, 2, 1]);
  shared.forget();
  expect(await ask()).toBe(3);
});

test('a failed answer is not shared', async () => {
  const shared = createShared<number>();
  await expect(shared.get('main', () => Promise.reject(new Error('locked')))).rejects.toThrow('locked');
  expect(await shared.get('main', async () => 1)).toBe(1);
});
