import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from '../../src/daemon/repeated.ts';
import type { Log } from '../../src/logging/logging.ts';

const EVERY_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin() {
  const told: string[] = [];
  const log = { warn: (_: unknown, words: string) => void told.push(words) } as unknown as Log;
  const begun: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  };
  const { stop } = repeat(log, {}, [{ task: 'a try', everyMs: EVERY_MS, atOnce: work, work }]);
  return { told, begun, stop };
}

test('a repeated task that fails is reported and retried at its next time, and never runs twice at once', async () => {
  const { told, begun, stop } = begin();
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect(begun).toHaveLength(1);
  begun[0]?.reject(new Error('it is broken'));
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect([begun.length, told]).toEqual([2, ['a task did not succeed']]);
  stop();
});

test('a repeated task that fails at the stop because the store is closed is not reported', async () => {
  const { told, begun, stop } = begin();
  stop();
  begun[0]?.reject(new Error('the store is closed'));
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
  expect([begun.length, told]).toEqual([1, []]);
});
