import { afterEach, expect, test, vi } from 'vitest';
import { createFollowed } from '../../src/use/followed.ts';
import { type Entry, followJournal } from '../../src/use/journal.ts';
import { until } from '../support/stage.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('an entry that is committed after one with a higher id is told, and each is told once', async () => {
  const rows: Entry[] = [];
  const commit = (id: number) => void rows.push({ id, outcome: 'noted' } as Entry);
  const journal = {
    after: async (afterId: number, limit: number) =>
      rows
        .filter(({ id }) => id > afterId)
        .toSorted((a, b) => a.id - b.id)
        .slice(0, limit),
  };
  const over = new AbortController();
  const told: number[] = [];
  const following = (async () => {
    for await (const { id } of followJournal({ journal } as never, {}, 4, over.signal)) told.push(id);
  })();
  for (const id of [4, 5, 7]) commit(id);
  await until('what is there is told', () => told.length >= 2);
  for (const id of [6, 8]) commit(id);
  await until('what came late is told', () => told.includes(8));
  over.abort();
  await following;
  expect(told).toEqual([5, 7, 6, 8]);
});

test('a number that nobody took is waited for no longer than a commit may take', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const followed = createFollowed(4);
  expect([5, 7].map((id) => followed.isNew(id))).toEqual([true, true]);
  expect(followed.readFromId()).toBe(5);
  expect([7, 6].map((id) => followed.isNew(id))).toEqual([false, true]);
  expect(followed.readFromId()).toBe(7);
  followed.isNew(9);
  vi.advanceTimersByTime(4_999);
  expect(followed.readFromId()).toBe(7);
  vi.advanceTimersByTime(1);
  expect(followed.readFromId()).toBe(9);
});
