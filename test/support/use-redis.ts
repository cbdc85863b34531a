import type { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import { startRedis, type TestRedis } from './redis.ts';

/** A server for the test file, which ends with the file, and a connection to it. */
export async function useRedis(): Promise<{ readonly server: TestRedis; readonly redis: Redis }> {
  const server = await startRedis();
  afterAll(() => server.stop());
  return { server, redis: server.connect() };
}
