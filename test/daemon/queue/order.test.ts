import { expect, onTestFinished, test } from 'vitest';
import { createQueue, type Job, startWorkers } from '../../../src/daemon/queue/queue.ts';
import { connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/stage.ts';

const work = (key: string): Job => ({ account: 'main', name: 'order-in', key, lane: 'poll' });
const READ: Job = { account: 'main', name: 'read:orders', key: 'all', lane: 'poll' };

async function open() {
  const redis = await startRedis();
  const connection = connectForQueue({ kind: 'private', socket: redis.path } as const, () => {});
  const queue = createQueue(connection, 'test', () => {});
  const done: string[] = [];
  const handle = async ({ name, key }: Job) => {
    done.push(`${name} ${key}`);
    // A poll that comes far too often: the read is requested again while it runs.
    if (name === READ.name) await queue.enqueue([READ]);
    return 'done' as const;
  };
  const startWork = () => startWorkers(connection, 'test', 1, { handle, trouble: () => {} });
  onTestFinished(async () => {
    await queue.close();
    connection.disconnect();
    await redis.stop();
  });
  return { queue, done, startWork };
}

test('work of a lane does not wait for ever behind a read of the same lane that is asked for again and again', async () => {
  const { queue, done, startWork } = await open();
  await queue.enqueue([READ, ...Array.from({ length: 20 }, (_, n) => work(String(n)))]);
  const workers = startWork();
  await until('all work is done', () => done.filter((each) => each.startsWith('order-in')).length === 20);
  await workers.stop(1_000);
  expect(done.filter((each) => each.startsWith('read')).length).toBeLessThan(25);
});
