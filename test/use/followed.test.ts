import { afterEach, expect, test, vi } from 'vitest';
import { createFollowed } from '../../src/use/followed.ts';
import { type Entry, followJournal } from '../../src/use/journal.ts';
import { createLive } from '../../src/use/live.ts';
import { until } from '../support/stage.ts';

afterEach(() => {
  vi.useRealTimers();
});

const entry = (id: number, atMs = 0) => ({ id, atMs, outcome: 'noted' }) as Entry;

function openJournal() {
  const rows: Entry[] = [];
  const inOrder = () => rows.toSorted((a, b) => a.id - b.id);
  const journal = {
    after: async (afterId: number, limit: number) =>
      inOrder()
        .filter(({ id }) => id > afterId)
        .slice(0, limit),
    before: async (_: null, limit: number) => inOrder().toReversed().slice(0, limit),
  };
  return { journal, commit: (id: number) => void rows.push(entry(id)) };
}

test('an entry that is committed after an entry with a higher id is followed, and each entry comes once', async () => {
  const { journal, commit } = openJournal();
  const over = new AbortController();
  const told: number[] = [];
  const following = (async () => {
    for await (const { id } of followJournal({ journal } as never, {}, [entry(4)], over.signal)) told.push(id);
  })();
  for (const id of [4, 5, 7]) commit(id);
  await until('what is there is told', () => told.length >= 2);
  for (const id of [6, 8]) commit(id);
  await until('what came late is told', () => told.includes(8));
  over.abort();
  await following;
  expect(told).toEqual([5, 7, 6, 8]);
});

test('an unused entry number is waited for no longer than a commit may take', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const followed = createFollowed([entry(4)]);
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

test('an entry that is committed late, below the newest known entry, is new; a known entry is not', () => {
  const known = [entry(9, 20_000), entry(7, 19_500), entry(4, 15_000), entry(2, 11_000)];
  const followed = createFollowed(known);
  // The rows 3, 1 and older ones belong to commits that ended long ago.
  expect(followed.readFromId()).toBe(4);
  expect([5, 6, 7, 8, 9].map((id) => followed.isNew(id))).toEqual([true, true, false, true, false]);
});

test('following that begins during much work begins with the first known row', () => {
  expect(createFollowed([entry(9, 2), entry(7, 1)]).readFromId()).toBe(7);
  expect(createFollowed([]).readFromId()).toBe(0);
});

test('a listener that begins while a commit is late gets its entry when it is committed', async () => {
  const { journal, commit } = openJournal();
  for (const id of [4, 5, 7]) commit(id);
  const live = createLive({ journal } as never, {});
  const told: (readonly [number, boolean])[] = [];
  const leave = await live.listen('a viewer', null, (some) => {
    for (const one of some) if (one !== 'missed') told.push([one.entry.id, one.isBehind]);
  });
  for (const id of [6, 8]) commit(id);
  await until('what came late is told', () => told.length >= 2);
  leave();
  live.stop();
  expect(told).toEqual([
    [6, true],
    [8, false],
  ]);
});
