import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPrivateRedis, type PrivateRedis, type RedisServerEvent } from '../../../src/daemon/redis/server.ts';
import { tryLock } from '../../../src/store/sqlite/lock.ts';

export interface Opened {
  readonly redis: PrivateRedis;
  readonly events: RedisServerEvent[];
}

/** A data folder whose private Redis is opened as often as processes would: each of them is stopped at the end. */
export async function privateRedisFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'data-'));
  const opened: PrivateRedis[] = [];
  return {
    dataDir,
    async open(dir = dataDir): Promise<Opened> {
      const events: RedisServerEvent[] = [];
      const lock = () => tryLock(dir, 'redis');
      const redis = await openPrivateRedis({ dataDir: dir, lock, report: (event) => events.push(event) });
      opened.push(redis);
      return { redis, events };
    },
    async end() {
      for (const redis of opened.splice(0)) await redis.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
