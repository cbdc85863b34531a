import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPlaces, type Place, type Places } from '../../src/erp/places.ts';

/** Asks for a place, and tells when it has come. */
function ask(places: Places, kind: 'read' | 'write', signal?: AbortSignal) {
  const asked: { place: Place | null; readonly come: Promise<Place> } = {
    place: null,
    come: places.take(kind, 'call', signal).then((place) => {
      asked.place = place;
      return place;
    }),
  };
  asked.come.catch(() => {});
  return asked;
}

test('a call gets its slot in the order of the requests, and a read never waits for writes', async () => {
  const places = createPlaces({ most: 10, timeoutMs: 10_000 });
  const [first, second, third] = [ask(places, 'write'), ask(places, 'write'), ask(places, 'write')];
  const read = ask(places, 'read');
  await nextTurn();
  expect([first, second, third, read].map(({ place }) => place !== null)).toEqual([true, false, false, true]);
  first.place?.leave('unheard', 10);
  await nextTurn();
  expect([second, third].map(({ place }) => place !== null)).toEqual([true, false]);
});

test('reads and writes together take at most all slots, and take turns', async () => {
  const places = createPlaces({ most: 1, timeoutMs: 10_000 });
  const order: string[] = [];
  const calls = (['write', 'write', 'read', 'read'] as const).map(async (kind) => {
    const place = await places.take(kind, 'call', undefined);
    order.push(kind);
    await nextTurn();
    place.leave('unheard', 10);
  });
  await nextTurn();
  expect(order).toEqual(['write']);
  await Promise.all(calls);
  expect(order).toEqual(['write', 'read', 'write', 'read']);
});

test('a call without a slot within the time of a call is not sent, and is retried', async () => {
  const places = createPlaces({ most: 10, timeoutMs: 20 });
  await places.take('write', 'call', undefined);
  await expect(places.take('write', 'call', undefined)).rejects.toMatchObject({
    side: 'erp',
    kind: 'rate-limited',
    outcome: 'not-applied',
    message: expect.stringContaining('had no place for a further write within 0.02 s'),
  });
});

test('a call that is cancelled while it waits leaves no slot taken', async () => {
  const places = createPlaces({ most: 10, timeoutMs: 10_000 });
  const first = await places.take('write', 'call', undefined);
  const stopping = new AbortController();
  const stopped = ask(places, 'write', stopping.signal);
  const next = ask(places, 'write');
  stopping.abort();
  await expect(stopped.come).rejects.toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  first.leave('unheard', 10);
  await next.come;
});

test('fast answers add slots, and a call without an answer removes half of them', async () => {
  const limits: number[] = [];
  const places = createPlaces({ most: 10, timeoutMs: 10_000, onPace: (_, { limit }) => limits.push(limit) });
  const leave = async (ended: 'answered' | 'overloaded', count: number) => {
    const taken = await Promise.all(Array.from({ length: count }, () => places.take('write', 'call', undefined)));
    for (const place of taken) place.leave(ended, 20);
  };
  for (const count of [1, 2, 4]) await leave('answered', count);
  expect(limits.at(-1)).toBe(8);
  await leave('overloaded', 8);
  expect(limits.at(-1)).toBe(4);
});

test('a limit of the writes delays no reads', async () => {
  const places = createPlaces({ most: 8, mostWrites: 1, timeoutMs: 10_000 });
  for (let round = 0; round < 20; round += 1) {
    const both = [ask(places, 'write'), ask(places, 'write')];
    const reads = [ask(places, 'read'), ask(places, 'read')];
    await nextTurn();
    expect([...both, ...reads].map(({ place }) => place !== null)).toEqual([true, false, true, true]);
    for (const { come } of [...both.slice(0, 1), ...reads]) (await come).leave('answered', 10);
    (await both[1]?.come)?.leave('answered', 10);
  }
});
