import { afterAll, onTestFinished, test } from 'vitest';
import { createQueue, type Job, PLACES, startWorkers } from '../../../src/daemon/queue/queue.ts';
import { connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { READS } from '../../../src/shadow/collections.ts';
import { LANES, type Lane } from '../../../src/store/work.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/stage.ts';

const MANY = 200;

const redis = await startRedis();
afterAll(() => redis.stop());
let opened = 0;

/** @param isStuck such a job does not end before the test */
async function open({ isStuck }: { isStuck: (job: Job) => boolean }) {
  const connection = connectForQueue({ kind: 'private', socket: redis.path } as const, () => {});
  const prefix = `test-${opened++}`;
  const queue = createQueue(connection, prefix, () => {});
  const begun: Job[] = [];
  const ended = Promise.withResolvers<void>();
  const handle = async (job: Job) => {
    begun.push(job);
    if (isStuck(job)) await ended.promise;
    return 'done' as const;
  };
  const workers = startWorkers(connection, prefix, { handle, trouble: () => {} });
  onTestFinished(async () => {
    ended.resolve();
    await workers.stop(1_000);
    await queue.close();
    connection.disconnect();
  });
  return { queue, begun };
}

const job = (lane: Lane, key: number, name = 'order-in'): Job => ({ account: 'main', name, key: String(key), lane });
const many = (lane: Lane) => Array.from({ length: MANY }, (_, key) => job(lane, key));

test.each(LANES)('while jobs of lane %s hold every worker that they can get, all reads begin', async (lane) => {
  const { queue, begun } = await open({ isStuck: () => true });
  await queue.enqueue(many(lane));
  await until('jobs hold the workers', () => begun.length === PLACES.rest);
  const reads = Object.keys(READS).map((name) => job('poll', 0, name));
  await queue.enqueue(reads);
  await until('every read has begun', () => begun.length === PLACES.rest + reads.length);
});

test.each(LANES.filter((lane) => lane !== 'operator' && lane !== 'new-order'))(
  'while jobs of lane %s hold every worker that they can get, a new order and an act of a person begin',
  async (lane) => {
    const { queue, begun } = await open({ isStuck: () => true });
    await queue.enqueue(many(lane));
    await until('jobs hold the workers', () => begun.length === PLACES.rest);
    await queue.enqueue([job('new-order', MANY), job('operator', MANY + 1)]);
    await until('both have begun', () => begun.length === PLACES.rest + 2);
  },
);

test('while every read hangs, other work goes on', async () => {
  const { queue, begun } = await open({ isStuck: ({ name }) => name.startsWith('read:') });
  await queue.enqueue(Object.keys(READS).map((name) => job('poll', 0, name)));
  await queue.enqueue(LANES.map((lane, key) => job(lane, key)));
  await until('each has begun', () => begun.filter(({ name }) => name === 'order-in').length === LANES.length);
});
