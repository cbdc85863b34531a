import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';

/** A private, real redis-server on a unix socket in a folder of its own. */
export interface TestRedis {
  /** The unix socket. */
  readonly path: string;
  /** A new client; `stop` closes those still open. */
  connect(options?: Omit<RedisOptions, 'replyMapping'>): Redis;
  /** Ends the server as a crash would. Acknowledged writes are there again after `revive`. */
  kill(): Promise<void>;
  /** Starts the server again on the same socket and data. */
  revive(): Promise<void>;
  /** Closes the clients, ends the server and removes the folder. */
  stop(): Promise<void>;
}

const START_LIMIT_MS = 20_000;

/**
 * @param port of loopback, besides the socket; 0: none
 * @throws Error when redis-server is missing or does not come up.
 */
export async function startRedis(port = 0): Promise<TestRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'redis-'));
  const path = join(dir, 's');
  const clients: Redis[] = [];
  let server = await launch(dir, path, port);
  return {
    path,
    connect(options = {}) {
      const client = new Redis(path, { maxRetriesPerRequest: null, ...options });
      // A test that takes the server away sees the failure in its commands, not as an unhandled event.
      client.on('error', () => {});
      clients.push(client);
      return client;
    },
    kill: () => endServer(server),
    async revive() {
      server = await launch(dir, path, port);
    },
    async stop() {
      for (const client of clients) client.disconnect();
      await endServer(server);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The server ends with its input, so a killed test process leaves none behind. */
const KEEPER = '"$@" </dev/null & read -r _; kill -9 $!; wait';

/** Starts a server; `endServer` ends it. */
export function startServer(command: string, args: readonly string[]): ChildProcess {
  const server = spawn('sh', ['-c', KEEPER, 'sh', command, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  // The output is read, or the server would block on a full pipe.
  server.stdout.resume();
  server.stderr.resume();
  return server;
}

async function launch(dir: string, path: string, port: number): Promise<ChildProcess> {
  // `appendfsync no`: acknowledged writes survive the process, which is all that a test can end.
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    unixsocket: path,
    dir,
    appendonly: 'yes',
    appendfsync: 'no',
    save: '',
  };
  const args = Object.entries({ ...settings, 'maxmemory-policy': 'noeviction' }).flatMap(([k, v]) => [`--${k}`, v]);
  const server = startServer('redis-server', args);
  await ready(server);
  return server;
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const give = (error?: Error) => {
      clearTimeout(limit);
      if (error === undefined) return resolve();
      server.stdin?.end();
      reject(error);
    };
    const limit = setTimeout(() => give(new Error(`redis-server did not start:\n${log}`)), START_LIMIT_MS);
    server.once('error', (cause) => give(new Error('sh cannot be started', { cause })));
    const listen = (chunk: Buffer) => {
      if (log.length < 10_000) log += chunk.toString();
      if (log.includes('eady to accept connections')) give();
      if (/not found/.test(log)) give(new Error('redis-server cannot be started: is it installed?'));
    };
    server.stdout?.on('data', listen);
    server.stderr?.on('data', listen);
  });
}

export function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.stdin?.end();
  });
}
