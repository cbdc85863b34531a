import { Redis, type RedisOptions } from 'ioredis';
import type { RedisTarget } from './target.ts';

/** Without the choice that changes the client's type. */
type Options = Omit<RedisOptions, 'replyMapping'>;

const RECONNECT_MAX_MS = 2_000;
const CONNECT_LIMIT_MS = 5_000;
const CALL_LIMIT_MS = 5_000;

/**
 * A connection for queues and workers: their commands wait for Redis to come back, however long that takes, as BullMQ asks.
 * `onError` hears of every failed connection; without it they would end up on standard error.
 */
export function connectForQueue(target: RedisTarget, onError: (error: Error) => void): Redis {
  return connect(target, { maxRetriesPerRequest: null }, onError);
}

/** A connection for calls that somebody waits for: they fail within seconds when Redis is gone. */
export function connectForCalls(target: RedisTarget, onError: (error: Error) => void): Redis {
  return connect(target, { maxRetriesPerRequest: 1, commandTimeout: CALL_LIMIT_MS }, onError);
}

function connect(target: RedisTarget, patience: Options, onError: (error: Error) => void): Redis {
  const options: Options = {
    ...patience,
    connectTimeout: CONNECT_LIMIT_MS,
    retryStrategy: (tries) => Math.min(50 * tries, RECONNECT_MAX_MS),
  };
  const client = 'socket' in target ? new Redis({ ...options, path: target.socket }) : new Redis(target.url, options);
  client.on('error', onError);
  return client;
}
