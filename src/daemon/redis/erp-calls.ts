import type { CallRecord } from '../../erp/kind.ts';
import type { RedisClient } from './connect.ts';

/** No limit of calls reaches further back. */
const KEPT_MS = 61_000;

/** The record of an account's calls to its ERP, for every process that shares this Redis. @param prefix of the account's keys */
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
      // A call is not stopped for its record: Redis that fails tells of itself.
      added.catch(() => {});
    },
  };
}
