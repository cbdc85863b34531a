import type { CallRecord } from '../../erp/kind.ts';
import type { RedisClient } from './connect.ts';

/** Longer than the window of any call limit. */
const KEPT_MS = 61_000;

/** Records an account's ERP calls for every process that shares this Redis. @param prefix of the account's keys */
export function openErpCalls(redis: RedisClient, prefix: string, now: () => number = Date.now): CallRecord {
  const key = `${prefix}:erp-calls`;
  return {
    async ages(most) {
      const times = await redis.lrange(key, 0, most - 1);
      return times
        .map((time) => Math.max(0, now() - Number(time)))
        .filter((age) => age < KEPT_MS)
        .toReversed();
    },
    add(most) {
      const added = redis
        .multi()
        .lpush(key, now())
        .ltrim(key, 0, most - 1)
        .pexpire(key, KEPT_MS)
        .exec();
      // A call does not fail for its record. Trouble with Redis is reported elsewhere.
      added.catch(() => {});
    },
  };
}
