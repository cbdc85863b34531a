import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectForCalls } from '../../../src/daemon/redis/connect.ts';
import { sendCommand } from '../../../src/daemon/redis/send-command.ts';
import type { PrivateRedis, RedisServerEvent } from '../../../src/daemon/redis/server.ts';
import { tryLock } from '../../../src/store/sqlite/lock.ts';
import { inTime } from '../../support/in-time.ts';
import { type Opened, privateRedisFolder } from './private-redis-folder.ts';

let folder: Awaited<ReturnType<typeof privateRedisFolder>>;
let dataDir: string;

beforeEach(async () => {
  folder = await privateRedisFolder();
  ({ dataDir } = folder);
});

afterEach(() => folder.end());

const open = (dir?: string): Promise<Opened> => folder.open(dir);

async function call<T>(
  redis: PrivateRedis,
  work: (client: ReturnType<typeof connectForCalls>) => Promise<T>,
): Promise<T> {
  const client = connectForCalls({ kind: 'private', socket: redis.socket }, () => {});
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** The server's own id of this run. */
async function runOf(client: Pick<ReturnType<typeof connectForCalls>, 'info'>): Promise<string> {
  return /^run_id:(\S+)/m.exec(await client.info('server'))?.[1] ?? 'unknown';
}

function pidOf(events: readonly RedisServerEvent[]): number {
  const started = events.findLast((event) => event.kind === 'started');
  if (started === undefined) throw new Error('no server was started');
  return started.pid;
}

/** An ended process whose parent is gone may stay in the process table for a while, and counts as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc') || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

test('the private redis-server keeps what it acknowledged, evicts nothing, and listens only on a socket of its user', async () => {
  const { redis } = await open();
  const settings = await call(redis, (client) =>
    client.config('GET', 'appendonly', 'appendfsync', 'maxmemory-policy', 'port', 'dir'),
  );
  const text = JSON.stringify(settings);
  for (const part of ['"yes"', '"always"', '"noeviction"', '"0"', JSON.stringify(dataDir)])
    expect(text).toContain(part);
  expect((await stat(redis.socket)).mode & 0o077).toBe(0);
  expect(redis.socket.startsWith(dataDir)).toBe(true);
});

test('the private redis-server is gone after stop, and its data is there the next time', async () => {
  const first = await open();
  await call(first.redis, (client) => client.set('kept', 'yes'));
  await first.redis.stop();
  expect(isAlive(pidOf(first.events))).toBe(false);
  expect(await sendCommand(first.redis.socket, 'PING', 1_000)).toBe('nobody');
  const second = await open();
  expect(await call(second.redis, (client) => client.get('kept'))).toBe('yes');
});

test('the private redis-server is restarted when it crashes', async () => {
  const { redis, events } = await open();
  await call(redis, (client) => client.set('kept', 'yes'));
  process.kill(pidOf(events), 'SIGKILL');
  await inTime(() => expect(events.map((event) => event.kind)).toEqual(['started', 'lost', 'started']));
  expect(events[1]).toMatchObject({ reason: 'signal SIGKILL' });
  expect(await call(redis, (client) => client.get('kept'))).toBe('yes');
});

test('stopping the private redis-server kills one that does not respond', async () => {
  const { redis, events } = await open();
  process.kill(pidOf(events), 'SIGSTOP');
  await redis.stop();
  expect(isAlive(pidOf(events))).toBe(false);
});

test('the private redis-server of a daemon that was killed is shut down and replaced, with nothing lost', async () => {
  const daemon = await startDaemon('wait');
  await call({ socket: join(dataDir, 'redis.sock'), stop: async () => {} }, (client) => client.set('kept', 'yes'));
  daemon.child.kill('SIGKILL');
  await once(daemon.child, 'exit');
  expect(isAlive(daemon.redisPid)).toBe(true);
  const { redis, events } = await open();
  expect(events.map((event) => event.kind)).toEqual(['orphan-ended', 'started']);
  await inTime(() => expect(isAlive(daemon.redisPid)).toBe(false));
  expect(await call(redis, (client) => client.get('kept'))).toBe('yes');
});

test('the private redis-server ends with a daemon that ends without stopping it', async () => {
  const daemon = await startDaemon('exit');
  await inTime(() => expect(isAlive(daemon.redisPid)).toBe(false));
});

test('the private redis-server is shared by the processes of one data folder, and left to another one when its own ends', async () => {
  const first = await open();
  const second = await open();
  const third = await open();
  expect([second, third].map(({ events }) => events)).toEqual([[{ kind: 'shared' }], [{ kind: 'shared' }]]);
  expect(second.redis.socket).toBe(first.redis.socket);
  await call(second.redis, async (client) => {
    const server = await runOf(client);
    for (const { redis } of [first, second]) {
      await redis.stop();
      expect(await runOf(client)).toBe(server);
    }
  });
  await inTime(() => expect(third.events.map((event) => event.kind)).toEqual(['shared', 'taken-over']));
  await third.redis.stop();
  expect(await sendCommand(third.redis.socket, 'PING', 1_000)).toBe('nobody');
  expect(isAlive(pidOf(first.events))).toBe(false);
});

test('the private redis-server that another process left is restarted when it crashes', async () => {
  const first = await open();
  const second = await open();
  await first.redis.stop();
  process.kill(pidOf(first.events), 'SIGKILL');
  await inTime(() =>
    expect(second.events.map(({ kind }) => kind)).toEqual(['shared', 'taken-over', 'lost', 'started']),
  );
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'the private redis-server of a process that is ended (%s) goes on for a daemon that has started meanwhile, without a break',
  async (signal) => {
    const brief = await startDaemon('wait');
    const { redis, events } = await open();
    expect(events).toEqual([{ kind: 'shared' }]);
    await call(redis, async (client) => {
      const server = await runOf(client);
      brief.child.kill(signal);
      await once(brief.child, 'exit');
      await inTime(() => expect(events.map((event) => event.kind)).toEqual(['shared', 'taken-over']));
      expect(await runOf(client)).toBe(server);
    });
    await redis.stop();
    expect(isAlive(brief.redisPid)).toBe(false);
  },
);

test('the private redis-server has its socket elsewhere when the path would be too long for one', async () => {
  const deep = join(dataDir, 'd'.repeat(100));
  const { redis } = await open(deep);
  expect(Buffer.byteLength(redis.socket)).toBeLessThan(100);
  expect(await sendCommand(redis.socket, 'PING', 1_000)).toBe('+PONG');
  expect((await stat(join(redis.socket, '..'))).mode & 0o077).toBe(0);
  await rm(join(redis.socket, '..'), { recursive: true, force: true });
});

test('a private redis-server that cannot start says why and leaves no process and no lock', async () => {
  await mkdir(join(dataDir, 'appendonlydir'));
  await writeFile(join(dataDir, 'appendonlydir', 'appendonly.aof.manifest'), 'not a manifest\n');
  await expect(open()).rejects.toThrow(/did not start in .*exit code 1[^]*manifest/);
  tryLock(dataDir, 'redis')?.release();
  expect(await readFile(join(dataDir, 'lock-redis.pid'), 'utf8').catch(() => 'none')).toBe('none');
});

test('a redis-server that is not installed is named, with what to install', async () => {
  vi.stubEnv('PATH', dataDir);
  await expect(open()).rejects.toThrow(/redis-server is not installed: .*apt-get install redis-server.*state\.redis/);
  vi.unstubAllEnvs();
});

async function startDaemon(then: string) {
  const script = join(import.meta.dirname, 'daemon-process.ts');
  const child = spawn(process.execPath, [script, dataDir, then], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, redisPid: (JSON.parse(line) as { pid: number }).pid };
}
