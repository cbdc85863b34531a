import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import type { Config } from './config/resolve.ts';
import type { Log } from './logging.ts';
import { ask } from './redis/ask.ts';
import { openPrivateRedis } from './redis/server.ts';
import { type RedisTarget, socketOf } from './redis/target.ts';
import { type OpenDatabase, openDatabase } from './store/database.ts';
import { tryLock } from './store/lock.ts';
import { createStore, type Store } from './store/store.ts';

const PING_LIMIT_MS = 1_000;

/** There is no Redis to work with; the message says what to do. */
export class NoRedisError extends Error {
  override readonly name = 'NoRedisError';
}

/** What is kept in the data folder. */
export interface OpenStore {
  readonly dir: string;
  readonly store: Store;
  readonly database: OpenDatabase;
  close(): void;
}

export async function openStore(config: Config, log: Log): Promise<OpenStore> {
  mkdirSync(config.state.dir, { recursive: true, mode: 0o700 });
  const dir = realpathSync(config.state.dir);
  const database = await openDatabase(dir);
  const { count, backup } = database.migrated;
  if (count > 0) log.info({ count, backup }, 'the database was migrated');
  return { dir, database, store: createStore(database.db, Date.now), close: () => database.close() };
}

/**
 * Redis as configured, or the private server of the data folder.
 * @throws NoRedisError when the private server is not installed or does not start
 */
export async function openRedis(
  config: Config,
  dir: string,
  log: Log,
): Promise<{ target: RedisTarget; stop(): Promise<void> }> {
  if (config.state.redis !== null) return { target: { url: config.state.redis }, stop: async () => {} };
  const { socket, stop } = await openPrivateRedis({
    dataDir: dir,
    lock: () => tryLock(dir, 'redis'),
    report: (event) => log[event.kind === 'lost' ? 'warn' : 'info']({ redis: event }, 'private redis-server'),
  }).catch((cause: unknown) => {
    throw new NoRedisError(cause instanceof Error ? cause.message : String(cause), { cause });
  });
  return { target: { socket }, stop };
}

/** The Redis of this configuration as far as it can be told to run: the private one only while somebody runs it. */
export async function runningRedis({ state }: Config): Promise<RedisTarget | null> {
  if (state.redis !== null) return { url: state.redis };
  const socket = await socketOf(state.dir);
  return (await ask(socket, 'PING', PING_LIMIT_MS)) === '+PONG' ? { socket } : null;
}

/** Keeps installations that share a Redis apart. */
export function queuePrefix(dir: string): string {
  return `stockbridge-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
}
