import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendCommand } from './send-command.ts';
import type { Registration } from './users.ts';

const PING_EVERY_MS = 20;
const PING_LIMIT_MS = 1_000;
const LOG_KEPT_CHARACTERS = 4_000;

export interface RedisChild {
  /** null: another process started the server. */
  readonly pid: number | null;
  /** Resolves when the server has ended: "exit code 1" or "signal SIGKILL". */
  readonly ended: Promise<string>;
  /** Asks the server to end, kills it after `limitMs`, and waits until it is gone. */
  end(limitMs: number): Promise<void>;
  /** Leaves it running when this process ends. */
  leave(): void;
}

/** Adopts a server that another process started. Its registration connection shows when it ends. */
export function adopted(socket: string, seat: Registration): RedisChild {
  const ended = new Promise<string>((resolve) => {
    const tell = (): void => resolve('its connection was closed');
    if (seat.closed.aborted) tell();
    seat.closed.addEventListener('abort', tell, { once: true });
  });
  return {
    pid: null,
    ended,
    async end(graceMs) {
      const late = sleep(graceMs);
      await sendCommand(socket, 'SHUTDOWN NOSAVE', graceMs);
      await Promise.race([ended, late]);
      seat.leave();
    },
    leave: () => seat.leave(),
  };
}

/**
 * Waits until redis-server answers on a unix socket. Loading a large log may take long: only silence counts against
 * `limitMs`.
 * @throws Error with the server's output when it is not installed, ends at once or does not answer
 */
export async function launch(dir: string, socket: string, limitMs: number): Promise<RedisChild> {
  // The server gets its own process group: Ctrl-C is for the daemon, which still needs Redis to finish its work.
  const server = spawn('redis-server', settings(dir, socket), { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log = (log + chunk).slice(-LOG_KEPT_CHARACTERS);
    });
  }
  // Every acknowledged write is on disk, so the server has nothing to finish.
  const endWithUs = (): void => void server.kill('SIGKILL');
  process.once('exit', endWithUs);
  const ended = new Promise<string>((resolve) => {
    server.once('error', (cause) => resolve(explain(cause)));
    server.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  }).finally(() => process.off('exit', endWithUs));
  const known = new AbortController();
  const problem = await Promise.race([ended, answering(socket, limitMs, known.signal)]);
  known.abort();
  if (problem !== null) {
    server.kill('SIGKILL');
    await ended;
    throw new Error(server.pid === undefined ? problem : `redis-server did not start in ${dir} (${problem}):\n${log}`);
  }
  return {
    pid: server.pid ?? 0,
    ended,
    async end(graceMs) {
      server.kill('SIGTERM');
      const late = setTimeout(() => server.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(late);
    },
    leave() {
      process.off('exit', endWithUs);
      server.unref();
      for (const stream of [server.stdout, server.stderr]) stream.destroy();
    },
  };
}

function settings(dir: string, socket: string): string[] {
  const wanted = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir,
    appendonly: 'yes',
    appendfsync: 'always',
    // The append-only file is the record. Snapshots would only cost time.
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  return Object.entries(wanted).flatMap(([name, value]) => [`--${name}`, value]);
}

/** null: the server answers; otherwise why it does not. After `known` is aborted, the result is not needed. */
async function answering(socket: string, limitMs: number, known: AbortSignal): Promise<string | null> {
  for (let silentSince = performance.now(); !known.aborted && performance.now() - silentSince < limitMs; ) {
    const answer = await sendCommand(socket, 'PING', PING_LIMIT_MS);
    if (answer === '+PONG') return null;
    if (answer.startsWith('-LOADING')) silentSince = performance.now();
    await sleep(PING_EVERY_MS);
  }
  return `no answer on ${socket} for ${limitMs} ms`;
}

function explain(cause: NodeJS.ErrnoException): string {
  if (cause.code !== 'ENOENT') return `redis-server cannot be started: ${cause.message}`;
  return (
    'redis-server is not installed: install it (Debian and Ubuntu: apt-get install redis-server; Alpine: apk add redis; ' +
    'Fedora: dnf install redis; macOS: brew install redis), or set state.redis to a Redis of your own'
  );
}
