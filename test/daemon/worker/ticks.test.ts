import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTicks } from '../../../src/daemon/worker/ticks.ts';
import type { Log } from '../../../src/logging/logging.ts';

const TICK_MS = 250;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const asked: (readonly string[])[] = [];
  const told: string[] = [];
  let answer: (() => Promise<string[]>) | null = null;
  const work = {
    accountsDue: async (accounts: readonly string[]) => {
      asked.push(accounts);
      return answer === null ? ['one'] : answer();
    },
  };
  const warned: string[] = [];
  const log = { warn: (_: unknown, words: string) => void warned.push(words) } as unknown as Log;
  const ticks = startTicks(work, log);
  const join = (name: string) => ticks.join(name, (isDue) => void told.push(`${name} ${isDue}`));
  return { asked, told, warned, join, answers: (next: typeof answer) => void (answer = next) };
}

test('a tick queries once for all accounts, and each account gets whether it has something due', async () => {
  const { asked, told, join } = open();
  const [leaveOne, leaveTwo] = [join('one'), join('two')];
  await vi.advanceTimersByTimeAsync(2 * TICK_MS);
  expect(asked).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ]);
  expect(told).toEqual(['one true', 'two false', 'one true', 'two false']);
  leaveOne();
  await vi.advanceTimersByTimeAsync(TICK_MS);
  expect(asked.at(-1)).toEqual(['two']);
  leaveTwo();
  await vi.advanceTimersByTimeAsync(10 * TICK_MS);
  expect(asked).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
});

test('an account that was taken again is not released by the end of the work before', async () => {
  const { told, join } = open();
  const leave = join('one');
  join('one');
  leave();
  await vi.advanceTimersByTimeAsync(TICK_MS);
  expect(told).toEqual(['one true']);
});

test('a pending due-query is not repeated; a failed one is', async () => {
  const { asked, told, warned, join, answers } = open();
  const { promise, reject } = Promise.withResolvers<string[]>();
  answers(() => promise);
  join('one');
  await vi.advanceTimersByTimeAsync(5 * TICK_MS);
  expect(asked).toHaveLength(1);
  reject(new Error('the database is away'));
  answers(null);
  await vi.advanceTimersByTimeAsync(TICK_MS);
  expect(warned).toEqual(['the queues could not be filled; it is tried again']);
  expect([asked.length, told]).toEqual([2, ['one true']]);
});

test('an account is served although an earlier start that was given up joins late and leaves', async () => {
  const { asked, told, join } = open();
  const leave = join('one');
  const leaveLate = join('one');
  leaveLate();
  await vi.advanceTimersByTimeAsync(TICK_MS);
  expect([asked, told]).toEqual([[['one']], ['one true']]);
  leave();
  expect(vi.getTimerCount()).toBe(0);
});

test('an account that joined while a due-query was pending waits for the next one', async () => {
  const { asked, told, join, answers } = open();
  const { promise, resolve } = Promise.withResolvers<string[]>();
  answers(() => promise);
  join('two');
  await vi.advanceTimersByTimeAsync(TICK_MS);
  join('one');
  answers(null);
  resolve([]);
  await vi.advanceTimersByTimeAsync(TICK_MS);
  expect(asked).toEqual([['two'], ['two', 'one']]);
  expect(told).toEqual(['two false', 'one false', 'two false', 'one true']);
});
