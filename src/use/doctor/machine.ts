import { once } from 'node:events';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import type { Config } from '../../config/resolve.ts';
import type { RedisFinding } from '../../daemon/redis/inspect.ts';
import { describeRedis, type RedisTarget } from '../../daemon/redis/target.ts';
import { errorCode } from '../../domain/error-code.ts';
import { type Descriptors, descriptors, isOutOfDescriptors, RAISE_LIMIT } from '../../machine/descriptors.ts';
import { existingFolder, freeBytes, gigabytes } from '../../machine/disk.ts';
import type { ListenAddress } from '../../settings/scalars.ts';
import { versionsInPostgres } from '../../store/postgres/open.ts';
import { databasePath, inspectDatabase } from '../../store/sqlite/database.ts';
import { lockHolder } from '../../store/sqlite/lock.ts';
import { checked, type Finding, fail, ok, warn } from './finding.ts';

/* What the daemon needs of this machine: disk, memory, descriptors, ports, Redis. */

const MIN_FREE_BYTES = 100_000_000;
const SCANT_FREE_BYTES = 1_000_000_000;
const SCANT_MEMORY_BYTES = 200_000_000;
/** What a daemon with two accounts and a few screen users needs. */
const LEAST_DESCRIPTORS = 256;
const NEARLY_ALL = 0.8;

/** Creates nothing. */
export function checkDisk(dir: string): Finding[] {
  const path = resolve(dir);
  const folder = existingFolder(path);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errorCode(error) === 'EROFS')
      return [fail('disk', `the file system of ${folder} is read-only`, 'mount it for writing')];
    const user = process.getuid?.() ?? 'this one';
    return [fail('disk', `${folder} cannot be written by user ${user}`, 'give it to the user that runs Stockbridge')];
  }
  return [judgeFree(path, freeBytes(folder)), ...(folder === path ? [checkModes(path)] : [])];
}

export function judgeFree(path: string, free: number): Finding {
  const text = `${path}: ${gigabytes(free)} free`;
  const mend = 'free some space: without it no order can be recorded or exported';
  if (free < MIN_FREE_BYTES) return fail('disk', text, mend);
  return free < SCANT_FREE_BYTES ? warn('disk', text, mend) : ok('disk', `${text}, can be written`);
}

/** Free memory, and the descriptors of the folder's daemon or of this program. */
export function checkLimits(dir: string): Finding[] {
  const daemon = lockHolder(dir, 'work');
  const ofDaemon = daemon === null ? null : descriptors(daemon);
  const ours = ofDaemon ?? descriptors();
  return [
    judgeMemory(process.availableMemory()),
    ...(ours === null ? [] : [judgeDescriptors(ours, ofDaemon === null ? null : daemon)]),
  ];
}

export function judgeMemory(available: number): Finding {
  const text = `${gigabytes(available)} available`;
  if (available >= SCANT_MEMORY_BYTES) return ok('memory', text);
  return warn(
    'memory',
    text,
    'give this machine more memory, or end other programs: without it the daemon stops responding',
  );
}

/** @param daemon null: this program's descriptors */
export function judgeDescriptors({ open, allowed }: Descriptors, daemon: string | null): Finding {
  const whose = daemon === null ? 'a program started here may have' : `our daemon (process ${daemon}) has ${open} of`;
  const text = `${whose} ${allowed}`;
  const isScant = allowed < LEAST_DESCRIPTORS || (daemon !== null && open > allowed * NEARLY_ALL);
  return isScant ? warn('file descriptors', text, RAISE_LIMIT) : ok('file descriptors', text);
}

/** Orders and customer names must be readable only by the owner. */
function checkModes(dir: string): Finding {
  const database = databasePath(dir);
  const open = [dir, database, `${database}-wal`, `${database}-shm`].filter(
    (path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0,
  );
  if (open.length === 0) return ok('file modes', 'closed to other users');
  return warn('file modes', `other users may look into ${open.join(' and ')}`, `chmod go= ${open.join(' ')}`);
}

export function checkDatabase({ dir, postgres }: Pick<Config['state'], 'dir' | 'postgres'>): Promise<Finding> {
  return checked('database', async (about) => {
    const versions = postgres === null ? inspectDatabase(dir) : await versionsInPostgres(postgres);
    if (versions === null) return ok(about, 'none yet: the first run creates it');
    const { applied, known, newer } = versions;
    if (newer)
      return fail(about, 'it is of a newer version of Stockbridge', 'install that version, or restore a backup');
    if (applied < known) return warn(about, 'it is of an older version', 'the next start migrates it, after a backup');
    return ok(about, `${postgres === null ? databasePath(dir) : 'PostgreSQL'}, up to date`);
  });
}

/** Whether the daemon can listen at its addresses, or already does. */
export async function checkPorts({ state, webhooks, admin }: Config): Promise<Finding[]> {
  return [
    await checkPort('webhooks.listen', webhooks.listen, () => lockHolder(state.dir, 'receive')),
    await checkPort('admin.listen', admin.listen, () => lockHolder(state.dir, 'admin')),
  ];
}

async function checkPort(setting: string, address: ListenAddress, holder: () => string | null): Promise<Finding> {
  const where = `${address.host}:${address.port}`;
  const refusal = await tryListening(address);
  if (refusal === null) return ok(setting, address.port === 0 ? 'any free port' : `${where} is free`);
  if (isOutOfDescriptors(refusal)) return fail(setting, `${where}: not tried, no file descriptor is left`, RAISE_LIMIT);
  const daemon = refusal === 'EADDRINUSE' ? holder() : null;
  if (daemon !== null) return ok(setting, `${where}: our daemon listens there (process ${daemon})`);
  const why =
    refusal === 'EADDRINUSE' ? 'another program listens there' : `this machine does not allow it (${refusal})`;
  return fail(setting, `${where}: ${why}`, `stop that program, or set ${setting} to another address`);
}

/** The error's code; null: listening works. */
async function tryListening({ host, port }: ListenAddress): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return errorCode(error) ?? String(error);
  } finally {
    server.close();
  }
}

/**
 * Checks that Redis answers, and how a user's own server is set up.
 * @param connectionError the connection's last error, clearer than the failed call's
 */
export async function checkRedis(
  inspect: () => Promise<RedisFinding[]>,
  target: RedisTarget,
  connectionError: () => Error | null,
): Promise<Finding[]> {
  const what = describeRedis(target);
  try {
    const found = await inspect();
    if (found.length === 0) return [ok('redis', `${what}, set as it must be`)];
    return found.map(({ about, level, message }) =>
      (level === 'problem' ? fail : warn)(`redis ${about}`, `${what}: ${message}`, null),
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') {
      const mend = 'correct the user and the password in state.redis';
      return [fail('redis', `${what} refuses: ${error.message}`, mend, 'unavailable')];
    }
    const why = connectionError()?.message ?? 'no answer in time';
    const mend = 'start it, or correct state.redis: without it no call can be made';
    return [fail('redis', `${what} does not answer (${why})`, mend, 'unavailable')];
  }
}
