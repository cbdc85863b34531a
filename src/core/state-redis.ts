import { existsSync } from 'node:fs';
import type { Config } from '../config/resolve.ts';
import { sendCommand } from '../daemon/redis/send-command.ts';
import { openPrivateRedis } from '../daemon/redis/server.ts';
import { type RedisTarget, socketOf } from '../daemon/redis/target.ts';
import type { Log } from '../logging/logging.ts';
import { tryLock } from '../store/sqlite/lock.ts';

const PING_LIMIT_MS = 1_000;

export class NoRedisError extends Error {
  override readonly name = 'NoRedisError';
}

/**
 * The configured Redis, or the private server of the data folder.
 * @throws NoRedisError when the private server is not installed or does not start
 */
export async function openRedis(
  config: Config,
  dir: string,
  log: Log,
): Promise<{ target: RedisTarget; stop(): Promise<void> }> {
  if (config.state.redis !== null) return { target: config.state.redis, stop: async () => {} };
  const { socket, stop } = await openPrivateRedis({
    dataDir: dir,
    lock: () => tryLock(dir, 'redis'),
    report: (event) => log[event.kind === 'lost' ? 'warn' : 'info']({ redis: event }, 'private redis-server'),
  }).catch((cause: unknown) => {
    throw new NoRedisError(cause instanceof Error ? cause.message : String(cause), { cause });
  });
  return { target: { kind: 'private', socket }, stop };
}

/** The configured Redis, or else the private one; null: no process runs the private one. */
export async function runningRedis({ state }: Config): Promise<RedisTarget | null> {
  if (state.redis !== null) return state.redis;
  // An inspection does not create the folder.
  if (!existsSync(state.dir)) return null;
  const socket = await socketOf(state.dir);
  return (await sendCommand(socket, 'PING', PING_LIMIT_MS)) === '+PONG' ? { kind: 'private', socket } : null;
}
