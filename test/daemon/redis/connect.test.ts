import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectForCalls, connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';

let redis: TestRedis;

beforeEach(async () => {
  redis = await startRedis();
});

afterEach(() => redis.stop());

test('a queue’s command waits for Redis to come back, a call’s fails meanwhile', async () => {
  const errors: Error[] = [];
  const target = { kind: 'private', socket: redis.path } as const;
  const queue = connectForQueue(target, (error) => errors.push(error));
  const calls = connectForCalls(target, (error) => errors.push(error));
  expect([await queue.ping(), await calls.ping()]).toEqual(['PONG', 'PONG']);
  await redis.kill();
  const waiting = queue.set('kept', 'yes');
  await expect(calls.get('kept')).rejects.toThrow();
  await redis.revive();
  expect(await waiting).toBe('OK');
  expect(await calls.get('kept')).toBe('yes');
  expect(errors.length).toBeGreaterThan(0);
  queue.disconnect();
  calls.disconnect();
});
