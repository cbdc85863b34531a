import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import {
  createQueue,
  KEPT_JOBS,
  PLACE_NAMES,
  startWorkers,
  UnretryableError,
} from '../../../src/daemon/queue/queue.ts';
import { connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/stage.ts';

const redis = await startRedis();
afterAll(() => redis.stop());

test('the last ended jobs of a queue stay for a viewer such as Bull Board, in a bounded number for a bounded time', async () => {
  const connection = connectForQueue({ kind: 'private', socket: redis.path } as const, () => {});
  const queue = createQueue(connection, '{stockbridge-test/main}', () => {});
  let ended = 0;
  const handle = async ({ key }: { key: string }) => {
    ended += 1;
    if (key.startsWith('fails')) throw new UnretryableError('a text about a person');
    return 'done' as const;
  };
  const workers = startWorkers(connection, '{stockbridge-test/main}', { handle, trouble: () => {} });
  const viewer = new Queue('stockbridge-rest', { connection, prefix: '{stockbridge-test/main}' });
  onTestFinished(async () => {
    await workers.stop(1_000);
    await viewer.close();
    await queue.close();
    connection.disconnect();
  });
  const many = KEPT_JOBS.completed.count + 50;
  const keys = ['works', 'fails'].flatMap((what) => Array.from({ length: many }, (_, at) => `${what}-${at}`));
  await queue.enqueue(keys.map((key) => ({ account: 'main', name: 'stock', key, lane: 'poll' as const })));
  await until('every job has ended', async () => ended === keys.length && (await viewer.getActiveCount()) === 0);
  expect(await viewer.getJobCounts('completed', 'failed')).toEqual({
    completed: KEPT_JOBS.completed.count,
    failed: KEPT_JOBS.failed.count,
  });
  const [failed] = await viewer.getFailed(0, 0);
  expect(failed).toMatchObject({
    name: 'stock',
    data: { account: 'main', key: expect.stringMatching(/^fails-/), lane: 'poll' },
    failedReason: 'the database has why',
    opts: { removeOnComplete: { age: 3_600 }, removeOnFail: { age: 86_400 } },
  });
});

test('a key whose ended job is still kept is queued again', async () => {
  const connection = connectForQueue({ kind: 'private', socket: redis.path } as const, () => {});
  const queue = createQueue(connection, 'again', () => {});
  let seen = 0;
  const handle = async () => {
    seen += 1;
    if (seen === 1) throw new UnretryableError('no');
    return 'done' as const;
  };
  const workers = startWorkers(connection, 'again', { handle, trouble: () => {} });
  onTestFinished(async () => {
    await workers.stop(1_000);
    await queue.close();
    connection.disconnect();
  });
  for (const times of [1, 2, 3]) {
    await queue.enqueue([{ account: 'main', name: 'stock', key: 'P-1', lane: 'poll' }]);
    await until(`it was seen ${times} times`, async () => seen === times && (await queue.active()) === 0);
  }
});

test('the guide names every queue', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../src/guide/monitoring.md'), 'utf8');
  for (const place of PLACE_NAMES) expect(guide).toContain(`\`stockbridge-${place}\``);
});
