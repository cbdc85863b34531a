import { expect, onTestFinished, test } from 'vitest';
import type { Job, JobQueue } from '../../../src/daemon/queue/queue.ts';
import { startFilling } from '../../../src/daemon/worker/fill.ts';
import { startTicks } from '../../../src/daemon/worker/ticks.ts';
import type { Log } from '../../../src/logging/logging.ts';
import { useShelf } from '../../store/shelf.ts';
import { until } from '../../support/stage.ts';

const shelf = useShelf();
const DAY_MS = 86_400_000;

test('when the clock is set back, work that waits for a later time is reconciled, and delayed jobs in Redis are dropped', async () => {
  const { store } = shelf();
  shelf().nowMs = 100 * DAY_MS;
  const key = { account: 'main', flow: 'stock', key: 'P-1' };
  const delayed = { account: 'main', flow: 'order-in', key: 'o-1' };
  await store.work.mark([key, delayed], 'poll', 'it changed');
  const told: string[] = [];
  const queue = {
    clear: async () => void told.push('cleared'),
    enqueue: async (jobs: readonly Job[]) => void told.push(...jobs.map((job) => job.key)),
  } as unknown as JobQueue;
  const log = { warn: (_: unknown, text: string) => void told.push(text) } as unknown as Log;
  await store.work.postpone(key, 1, shelf().nowMs + DAY_MS, []);
  const ticks = startTicks(store.work, log);
  const filling = startFilling({ account: 'main', store, queue, log, now: () => shelf().nowMs, ticks });
  onTestFinished(() => filling.stop());
  await until('what is due is queued', () => told.includes('o-1'));
  // A small correction of the clock does not count as set back.
  shelf().nowMs -= 500;
  await store.work.mark([{ ...key, key: 'P-2' }], 'poll', 'it changed');
  await until('what changed is queued', () => told.includes('P-2'));
  expect(told).toEqual(['o-1', 'P-2']);
  shelf().nowMs -= DAY_MS;
  await until('all is queued', () => told.includes('P-1'));
  expect(told.slice(2)).toEqual([
    'the clock was set back: what waits for a later time is looked at now',
    'cleared',
    'P-2',
    'P-1',
    'o-1',
  ]);
});

test('a key that changes while it waits on the queue is queued once more after its job has ended, or when it becomes urgent', async () => {
  const { store } = shelf();
  const key = { account: 'main', flow: 'stock', key: 'P-1' };
  const queued: string[] = [];
  const queue = {
    enqueue: async (jobs: readonly Job[]) => void queued.push(...jobs.map(({ key: name }) => name)),
  } as unknown as JobQueue;
  const log = {} as Log;
  await store.work.mark([key], 'poll', 'it changed');
  const ticks = startTicks(store.work, log);
  const filling = startFilling({ account: 'main', store, queue, log, now: () => shelf().nowMs, ticks });
  onTestFinished(() => filling.stop());
  const other = (name: string) => ({ account: 'main', flow: 'stock', key: name });
  const filledWith = async (name: string) => {
    await store.work.mark([other(name)], 'poll', 'it changed');
    filling.ended(other('nothing'));
    await until(`${name} is queued`, () => queued.includes(name));
  };
  await filledWith('P-2');
  await store.work.mark([key], 'poll', 'it changed again');
  await filledWith('P-3');
  expect(queued).toEqual(['P-1', 'P-2', 'P-3']);
  await store.work.mark([key], 'operator', 'a person asks for it');
  await filledWith('P-4');
  expect(queued.slice(3).toSorted()).toEqual(['P-1', 'P-4']);
  filling.ended(key);
  await until('it is queued again', () => queued.length === 6);
  expect(queued.at(-1)).toBe('P-1');
});
