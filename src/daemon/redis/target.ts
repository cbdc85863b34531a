import { createHash } from 'node:crypto';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RedisAddress } from '../../config/resolve.ts';

/** The private server's unix socket, or the address of the user's own Redis. */
export type RedisTarget = { readonly kind: 'private'; readonly socket: string } | RedisAddress;

export type BehindSentinels = Extract<RedisAddress, { kind: 'sentinels' }>;

export function describeRedis(target: RedisTarget): string {
  if (target.kind === 'private') return 'a private redis-server';
  const place = (url: string): string => new URL(url).host;
  if (target.kind === 'server') return `redis://${place(target.url)}`;
  if (target.kind === 'cluster') return `the cluster of ${[target.url, ...target.cluster].map(place).join(', ')}`;
  return `the primary ${place(target.url)} of the sentinels ${target.sentinels.map(place).join(', ')}`;
}

/** Systems limit the path of a unix socket to 104 (macOS) or 108 (Linux) bytes, and silently cut longer ones. */
const SOCKET_PATH_MAX_BYTES = 100;

/**
 * In the data folder, or, if that path is too long, in a folder of this user that every process with the same data
 * folder finds. Creates the socket's folder.
 * @throws Error when the short folder is not this user's own.
 */
export async function socketOf(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const real = await realpath(dataDir);
  const path = join(real, 'redis.sock');
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES) return path;
  const id = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const short = join(tmpdir(), `stockbridge-${id}`);
  await mkdir(short, { recursive: true, mode: 0o700 });
  await requireOwn(short);
  return join(short, 'redis.sock');
}

/** Anybody may write to the folder for temporary files, so another user's folder there is not trusted. */
async function requireOwn(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return;
  throw new Error(`${folder} belongs to somebody else: set a shorter state.dir, or TMPDIR to a folder of your own`);
}
