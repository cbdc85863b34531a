import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import type { Lane } from '../../src/marketplace/quota.ts';
import type { Look } from '../../src/shadow/context.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();

/** A marketplace that answers a list when the test says so. */
function open() {
  const calls: { ids: string; archived: boolean; lane: Lane; answer: (error?: Error, shown?: string) => void }[] = [];
  const list = (_id: string, { query }: { query: { id: string; archived?: boolean } }, { lane }: { lane: Lane }) =>
    new Promise((resolve, reject) => {
      const answer = (error?: Error, shown = query.id) => {
        const raw = shown.split(',').map((id) => ({ id: Number(id) }));
        return error === undefined ? resolve({ rows: [], invalidRows: [], raw }) : reject(error);
      };
      calls.push({ ids: query.id, archived: query.archived === true, lane, answer });
    });
  const client = { list } as unknown as AccountContext['client'];
  const context = accountContext(shelf().store, accountConfig(), { client });
  type Of = { lane?: Look['lane']; archived?: boolean; patienceMs?: number };
  const read = (id: number, { lane = 'poll', archived = false, ...patience }: Of = {}) =>
    context.readListing({ key: `P-${id}`, lane, signal: new AbortController().signal, ...patience }, id, archived);
  return { calls, read };
}

test('listings that are requested during a call share the next call, which begins after they were requested', async () => {
  const { calls, read } = open();
  const first = read(1);
  await nextTurn();
  const others = [read(2), read(3), read(2)];
  await nextTurn();
  expect(calls.map(({ ids }) => ids)).toEqual(['1']);
  calls[0]?.answer();
  await first;
  await expect.poll(() => calls.length).toBe(2);
  expect(calls.map(({ ids }) => ids)).toEqual(['1', '2,3']);
  calls[1]?.answer();
  await Promise.all(others);
});

test('a call for listings that fails fails for its callers, and the next callers are served all the same', async () => {
  const { calls, read } = open();
  const first = expect(read(1)).rejects.toThrow('no answer');
  await nextTurn();
  const second = read(2);
  calls[0]?.answer(new Error('no answer'));
  await first;
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.answer();
  await expect(second).resolves.toBeUndefined();
});

test('one call asks for at most fifty listings', async () => {
  const { calls, read } = open();
  const all = Array.from({ length: 120 }, (_, index) => read(index));
  for (const answered of [0, 1, 2]) {
    await expect.poll(() => calls.length).toBe(answered + 1);
    calls[answered]?.answer();
  }
  await Promise.all(all);
  expect(calls.map(({ ids }) => ids.split(',').length)).toEqual([50, 50, 20]);
});

const refused = new CallFailure('no', { side: 'marketplace', kind: 'refused', outcome: 'not-applied' });

test.each([
  ['is left out of a shared answer', undefined, '2'],
  ['has a shared call refused', refused, undefined],
])('a listing that %s is requested alone, and fails alone', async (_name, error, shown) => {
  const { calls, read } = open();
  const first = read(1);
  await nextTurn();
  const second = read(2);
  const third = expect(read(3)).rejects.toThrow('no');
  calls[0]?.answer();
  await first;
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.answer(error, shown);
  const alone = error === undefined ? ['3'] : ['2', '3'];
  await expect.poll(() => calls.slice(2).map(({ ids }) => ids)).toEqual(alone);
  for (const { ids, answer } of calls.slice(2)) answer(ids === '3' ? refused : undefined);
  await Promise.all([second, third]);
});

test('a listing that two looks ask for is read for neither when the marketplace refuses', async () => {
  const { calls, read } = open();
  const first = read(1);
  await nextTurn();
  const both = [read(2), read(2)].map((one) => expect(one).rejects.toThrow('no'));
  calls[0]?.answer();
  await first;
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.answer(refused);
  await expect.poll(() => calls.length).toBe(4);
  for (const { answer } of calls.slice(2)) answer(refused);
  await Promise.all(both);
});

test('a listing read without patience waits for no other', async () => {
  const { calls, read } = open();
  const all = [read(1), read(2, { patienceMs: 0 })];
  await nextTurn();
  expect(calls.map(({ ids }) => ids).sort()).toEqual(['1', '2']);
  for (const { answer } of calls) answer();
  await Promise.all(all);
});

test.each([
  ['a webhook waits for no read of a poll', { lane: 'webhook' }],
  ['the archive is asked by itself', { archived: true }],
] as const)('listing reads that are not shared: %s', async (_name, of) => {
  const { calls, read } = open();
  const all = [read(1), read(2, of)];
  await nextTurn();
  expect(calls.map(({ ids }) => ids)).toEqual(['1', '2']);
  for (const { answer } of calls) answer();
  await Promise.all(all);
});
