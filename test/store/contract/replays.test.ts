import { beforeEach, expect, test } from 'vitest';
import type { FailedJob } from '../../../src/store/work.ts';
import { causeOf } from '../../support/causes.ts';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const target = { account: 'main', flow: 'order-in', key: 'N-1' };
let job: FailedJob;

const version = async () => (await shelf().store.work.get(target))?.version ?? 0;
const results = async () =>
  (await shelf().store.audit.latest(100)).filter(({ resultOf }) => resultOf !== null).map(({ outcome }) => outcome);

async function written(outcome: 'written' | 'noted'): Promise<void> {
  const entry = {
    ...target,
    action: 'order-in.mark',
    target: 'order N-1',
    before: null,
    after: null,
    why: 'it is due',
  };
  await shelf().store.journal.add({ ...entry, outcome, answer: '' });
}

beforeEach(async () => {
  const { work } = shelf().store;
  await work.mark([target], 'poll', 'seen');
  await written('written');
  await work.fail(target, 1, 'erp-refused', 'no', 3);
  job = (await work.failed())[0] as FailedJob;
});

test('the result of a replay is reported once: nothing was left to do', async () => {
  const { work, audit } = shelf().store;
  const [id = 0] = await work.replay([job], 'alice');
  expect(await results()).toEqual([]);
  await work.settle(target, await version());
  expect(await audit.resultsOf([id])).toMatchObject([
    {
      who: 'stockbridge',
      action: 'job.replay.result',
      after: 'in-sync',
      outcome: 'already in step: nothing was written',
    },
  ]);
  await work.mark([target], 'poll', 'seen again');
  await work.settle(target, await version());
  expect(await results()).toHaveLength(1);
});

test('the result of a replay is reported with the writes since, over all attempts', async () => {
  const { work } = shelf().store;
  await work.replay([job], 'alice');
  for (const outcome of ['written', 'noted', 'written'] as const) await written(outcome);
  await work.postpone(target, await version(), shelf().nowMs + 5, []);
  expect(await results()).toEqual([]);
  await work.settle(target, await version());
  expect(await results()).toEqual(['written 2']);
});

test('the result of a replay is reported as held, or failed again', async () => {
  const { work } = shelf().store;
  await work.replay([job], 'alice');
  await work.hold(target, await version(), [causeOf('paused')]);
  await work.replay([job], 'alice');
  await written('written');
  await work.fail(target, await version(), 'erp-refused', 'no again', 1);
  expect(await results()).toEqual(['held: paused', 'failed again: erp-refused: no again (written 1)']);
});

test('a replay that was replayed again, or discarded, before an attempt is reported as that', async () => {
  const { work } = shelf().store;
  await work.replay([job], 'alice');
  await work.replay([job], 'bob');
  await work.discard([job], 'bob');
  expect(await results()).toEqual(['replayed once more', 'discarded']);
});

test('an attempt that began before a replay is not its result', async () => {
  const { work } = shelf().store;
  const before = await version();
  await work.replay([job], 'alice');
  await work.settle(target, before);
  await work.hold(target, before, [causeOf('of old')]);
  await work.fail(target, before, 'erp-refused', 'of old', 1);
  expect(await results()).toEqual([]);
  await work.settle(target, await version());
  expect(await results()).toHaveLength(1);
});

test('a replay of one job goes first, and a replay of several is bulk', async () => {
  const { work } = shelf().store;
  await work.replay([job], 'alice');
  expect(await work.get(target)).toMatchObject({ state: 'pending', lane: 'operator' });
  const others = ['P-8', 'P-9'].map((key) => ({ ...job, key }));
  await work.replay(others, 'alice');
  for (const { key } of others) expect((await work.get({ ...target, key }))?.lane).toBe('backfill');
});

test('failed jobs are listed by age, up to a number', async () => {
  const { work } = shelf().store;
  shelf().nowMs += 60_000;
  for (const key of ['N-2', 'N-3']) {
    await work.mark([{ ...target, key }], 'poll', 'seen');
    await work.fail({ ...target, key }, 1, 'erp-refused', 'no', 1);
  }
  const keys = async (where: Parameters<typeof work.failed>[0]) => (await work.failed(where)).map(({ key }) => key);
  expect(await keys({ failedBeforeMs: shelf().nowMs })).toEqual(['N-1']);
  expect(await keys({ limit: 2 })).toEqual(['N-1', 'N-2']);
  expect(await keys({ failedBeforeMs: shelf().nowMs + 1, limit: 5, error: 'REFUSED' })).toEqual(['N-1', 'N-2', 'N-3']);
});
