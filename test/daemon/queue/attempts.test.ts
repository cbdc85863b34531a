import { Queue } from 'bullmq';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createQueue, startWorkers } from '../../../src/daemon/queue/queue.ts';
import { connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/stage.ts';

const redis = await startRedis();
afterAll(() => redis.stop());

test('the attempts of a job are counted from one, a job that was handed back repeats its attempt, and the last one is marked as such', async () => {
  const connection = connectForQueue({ kind: 'private', socket: redis.path } as const, () => {});
  const prefix = '{stockbridge-test/attempts}';
  const queue = createQueue(connection, prefix, () => {});
  const attempts: [number: number, isLast: boolean][] = [];
  const handle = async (_job: unknown, { number, isLast }: { number: number; isLast: boolean }) => {
    attempts.push([number, isLast]);
    if (attempts.length === 2) return { delayMs: 1 };
    throw new Error('the other side is not there');
  };
  const workers = startWorkers(connection, prefix, { handle, trouble: () => {} });
  const viewer = new Queue('stockbridge-rest', { connection, prefix });
  onTestFinished(async () => {
    await workers.stop(1_000);
    await viewer.close();
    await queue.close();
    connection.disconnect();
  });
  await queue.enqueue([{ account: 'main', name: 'stock', key: 'P-1', lane: 'poll' }]);
  await until('the job has failed', async () => {
    for (const job of await viewer.getDelayed()) await job.promote().catch(() => {});
    return (await viewer.getFailedCount()) === 1;
  });
  expect(attempts).toEqual([1, 2, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, number === 8]));
});
