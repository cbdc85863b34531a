import { expect, onTestFinished, test } from 'vitest';
import { createQueue, type Job, startWorkers } from '../../../src/daemon/queue/queue.ts';
import { connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/stage.ts';

const JOB: Job = { account: 'main', name: 'order-in', key: '1', lane: 'poll' };

async function open() {
  const redis = await startRedis();
  const target = { kind: 'private', socket: redis.path } as const;
  const connection = connectForQueue(target, () => {});
  const queue = createQueue(connection, 'test', () => {});
  onTestFinished(async () => {
    await queue.close();
    connection.disconnect();
    await redis.stop();
  });
  return { redis, queue, connection };
}

test('a job that was in progress when Redis failed does not block the next one of its key', async () => {
  const { redis, queue, connection } = await open();
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const handle = async () => {
    begun += 1;
    if (begun === 1) await gate.promise;
    return 'done' as const;
  };
  const workers = startWorkers(connection, 'test', { handle, trouble: () => {} });
  await queue.enqueue([JOB]);
  await until('it is in progress', () => begun === 1);
  await redis.kill();
  gate.resolve();
  await redis.revive();
  await queue.enqueue([JOB]);
  await until('the next one runs', () => begun > 1);
  await workers.stop(1_000);
});

test('workers stop while Redis is down, after what is in progress', async () => {
  const { redis, queue, connection } = await open();
  const gate = Promise.withResolvers<void>();
  let isDone = false;
  let isInProgress = false;
  const handle = async () => {
    isInProgress = true;
    await gate.promise;
    isDone = true;
    return 'done' as const;
  };
  const workers = startWorkers(connection, 'test', { handle, trouble: () => {} });
  await queue.enqueue([JOB]);
  await until('it is in progress', () => isInProgress);
  await redis.kill();
  const stopped = workers.stop(60_000);
  gate.resolve();
  await stopped;
  expect(isDone).toBe(true);
});

test('a job that does not end in time is cancelled', async () => {
  const { queue, connection } = await open();
  let isInProgress = false;
  const handle = async (_job: Job, { signal }: { signal: AbortSignal }) => {
    isInProgress = true;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return 'done' as const;
  };
  const workers = startWorkers(connection, 'test', { handle, trouble: () => {} });
  await queue.enqueue([JOB]);
  await until('it is in progress', () => isInProgress);
  await workers.stop(10);
});
