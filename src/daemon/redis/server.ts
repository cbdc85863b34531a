import { setTimeout as sleep } from 'node:timers/promises';
import { adopted, launch, type RedisChild } from './child.ts';
import { sendCommand } from './send-command.ts';
import { socketOf } from './target.ts';
import { countUsers, type Registration, registerUser } from './users.ts';

export type RedisServerEvent =
  | { readonly kind: 'started'; readonly pid: number }
  /** Another process of the data folder runs the server; this one uses it. */
  | { readonly kind: 'shared' }
  /** The process that ran the server left it to this one. */
  | { readonly kind: 'taken-over' }
  | { readonly kind: 'orphan-ended' }
  /** The server ended, or did not restart. The next try is after `retryAfterMs`. */
  | { readonly kind: 'lost'; readonly reason: string; readonly retryAfterMs: number };

export interface PrivateRedis {
  readonly socket: string;
  /** Ends a server that this process runs. If others use it, one of them takes it over. */
  stop(): Promise<void>;
}

interface PrivateRedisOptions {
  readonly dataDir: string;
  /** The right to run the data folder's server, which ends with its process; null: another process has it. */
  readonly lock: () => { release(): void } | null;
  readonly report: (event: RedisServerEvent) => void;
}

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;
const LOCK_EVERY_MS = 500;
/** A waiting process has taken its turn within this time. */
const HAND_OVER_MS = LOCK_EVERY_MS + 100;
const ASK_LIMIT_MS = 2_000;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 10_000;
/** After running this long, the next loss counts as the first one. */
const WELL_AFTER_MS = 60_000;

/**
 * Runs redis-server on a unix socket for this user only, with every write on disk before it is acknowledged, and
 * without eviction. All processes of the data folder share it; when the one that runs it ends, another takes it over.
 * Resolves when Redis answers.
 * @throws Error when redis-server is not installed or does not start.
 */
export async function openPrivateRedis(options: PrivateRedisOptions): Promise<PrivateRedis> {
  const socket = await socketOf(options.dataDir);
  const stopping = new AbortController();
  const up = Promise.withResolvers<void>();
  const done = attend({ ...options, socket, stopping: stopping.signal, up: up.resolve }).catch(up.reject);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await done;
  };
  const late = setTimeout(() => up.reject(new Error(`Redis does not answer on ${socket}`)), 2 * START_LIMIT_MS);
  try {
    await up.promise;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return { socket, stop };
}

interface Watch extends PrivateRedisOptions {
  readonly socket: string;
  readonly stopping: AbortSignal;
  readonly up: () => void;
}

/** Waits for the right to run the server, and runs it. Meanwhile uses another process's server. */
async function attend(watch: Watch): Promise<void> {
  const { stopping } = watch;
  let seat: Registration | null = null;
  while (!stopping.aborted) {
    const lock = watch.lock();
    if (lock !== null) {
      const turn: Turn = { lock };
      try {
        await run(watch, turn, seat);
      } finally {
        turn.lock?.release();
      }
      seat = null;
      continue;
    }
    seat ??= await sitDown(watch);
    if (seat === null) await pause(RETRY_MIN_MS, stopping);
    else await pause(LOCK_EVERY_MS, AbortSignal.any([stopping, seat.closed]));
    if (seat?.closed.aborted) seat = null;
  }
  seat?.leave();
}

/** The right to run the server; null: another process has it. */
interface Turn {
  lock: { release(): void } | null;
}

async function sitDown({ socket, report, up }: Watch): Promise<Registration | null> {
  if ((await sendCommand(socket, 'PING', ASK_LIMIT_MS)) !== '+PONG') return null;
  const seat = await registerUser(socket, ASK_LIMIT_MS);
  if (seat === null) return null;
  // The process that ends the server may have counted its users before this one registered.
  if ((await countUsers(socket, ASK_LIMIT_MS, 'ending')) > 0) {
    seat.leave();
    return null;
  }
  report({ kind: 'shared' });
  up();
  return seat;
}

/**
 * Restarts the server whenever it ends. The first start must succeed; later ones are retried for ever.
 * @param seat this process's registration at a running server
 */
async function run(watch: Watch, turn: Turn, seat: Registration | null): Promise<void> {
  const { socket, report } = watch;
  const wait = { nextMs: RETRY_MIN_MS };
  // Nobody uses it, so this process starts its own.
  if (seat === null && (await isUnused(socket, 0)) && (await endOrphan(socket))) report({ kind: 'orphan-ended' });
  let server: RedisChild | null = seat === null ? await start(watch) : adopted(socket, seat);
  while (server !== null) {
    const startedAtMs = performance.now();
    const { pid } = server;
    report(pid === null ? { kind: 'taken-over' } : { kind: 'started', pid });
    watch.up();
    const reason = await endOf(server, watch, turn);
    if (performance.now() - startedAtMs > WELL_AFTER_MS) wait.nextMs = RETRY_MIN_MS;
    server = await startAgain(watch, reason, wait);
  }
}

/** A server that answers is taken over, because two must never write to the same files. */
async function start({ dataDir, socket }: Watch): Promise<RedisChild> {
  const isThere = (await sendCommand(socket, 'PING', ASK_LIMIT_MS)) === '+PONG';
  const seat = isThere ? await registerUser(socket, ASK_LIMIT_MS) : null;
  return seat === null ? launch(dataDir, socket, START_LIMIT_MS) : adopted(socket, seat);
}

/** null: the daemon stops meanwhile. */
async function startAgain(watch: Watch, lostBecause: string, wait: { nextMs: number }): Promise<RedisChild | null> {
  for (let reason = lostBecause; !watch.stopping.aborted; ) {
    const retryAfterMs = wait.nextMs;
    wait.nextMs = Math.min(retryAfterMs * 2, RETRY_MAX_MS);
    watch.report({ kind: 'lost', reason, retryAfterMs });
    if (!(await pause(retryAfterMs, watch.stopping))) break;
    const started = await start(watch).catch(String);
    if (typeof started !== 'string') return started;
    reason = started;
  }
  return null;
}

async function endOf(server: RedisChild, watch: Watch, turn: Turn): Promise<string> {
  const { stopping } = watch;
  const told = new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([server.ended, told]);
  if (!stopping.aborted) return server.ended;
  if (await isTakenOver(server, watch, turn)) {
    server.leave();
    return 'another process runs it';
  }
  await server.end(STOP_LIMIT_MS);
  return server.ended;
}

/** True: nobody registers any more. @param own the registrations of this process */
async function isUnused(socket: string, own: number): Promise<boolean> {
  const ending = await registerUser(socket, ASK_LIMIT_MS, 'ending');
  if ((await countUsers(socket, ASK_LIMIT_MS)) <= own) return true;
  ending?.leave();
  return false;
}

async function isTakenOver({ pid }: RedisChild, watch: Watch, turn: Turn): Promise<boolean> {
  const own = pid === null ? 1 : 0;
  const deadline = performance.now() + STOP_LIMIT_MS;
  while (!(await isUnused(watch.socket, own)) && performance.now() < deadline) {
    turn.lock?.release();
    await sleep(HAND_OVER_MS);
    turn.lock = watch.lock();
    if (turn.lock === null) return true;
  }
  return false;
}

/** Shuts down the server of a killed daemon. Its writes are on disk. */
async function endOrphan(socket: string): Promise<boolean> {
  for (let found = false, deadline = performance.now() + STOP_LIMIT_MS; ; found = true) {
    const answer = await sendCommand(socket, found ? 'SHUTDOWN NOSAVE' : 'PING', ASK_LIMIT_MS);
    if (answer === 'nobody' && (await sendCommand(socket, 'PING', ASK_LIMIT_MS)) === 'nobody') return found;
    if (answer === 'silence' || performance.now() > deadline) {
      throw new Error(
        `a redis-server that an earlier daemon left on ${socket} does not shut down: end it and start again`,
      );
    }
    await sleep(20);
  }
}

/** False: the signal cut the wait short. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
