import { parentPort, workerData } from 'node:worker_threads';
import type { Fence } from '../sql/leases.ts';
import { createStore } from '../sql/store.ts';
import { MIGRATIONS_DIR } from '../sqlite/schema.ts';
import type { Store } from '../store.ts';
import { packed, packedError, unpacked } from './codec.ts';
import { openConnection } from './connection.ts';
import { connected } from './database.ts';
import type { Call, Opening, Reply } from './messages.ts';
import { migrate, migrationsIn, versionsOf } from './migrations.ts';

/* The statement thread. It runs the store's functions and sleeps while PostgreSQL answers. */

interface Given {
  readonly url: string;
  /** The program's clock as of its latest call, in epoch milliseconds. */
  readonly clock?: SharedArrayBuffer;
  readonly mayUpgrade?: boolean;
  /** Only inspects the tables: no changes, no calls. */
  readonly look?: boolean;
}

/** The most stores under a lease that are kept, one for each recent lease. */
const MAX_FENCES = 1_000;
/** How long waiting calls are started without a break. */
const TURN_MS = 5;

const { url, clock, mayUpgrade = false, look = false } = workerData as Given;
const clockMs = new BigInt64Array(clock ?? new SharedArrayBuffer(8));
const now = () => Number(Atomics.load(clockMs, 0));
const port = parentPort;
if (port === null) throw new Error('invariant: this is a thread of its own');

const connection = openConnection(url);
const { db, commitAll } = connected(connection, migrationsIn(MIGRATIONS_DIR).length);
const store = createStore(db, now);
const stores = new Map<string, Store>();
/** Calls not started yet. The program bounds their number (open.ts). */
const waiting: Call[] = [];

function opened(): Opening {
  try {
    connection.reconnect();
    return { opened: look ? versionsOf(connection) : migrate(connection, mayUpgrade) };
  } catch (error) {
    return { refused: packedError(error) };
  }
}

port.postMessage(opened());
port.on('message', (call: Call | 'close') => {
  if (call !== 'close') {
    if (waiting.length === 0) setImmediate(takeTurn);
    waiting.push(call);
    return;
  }
  while (waiting.length > 0) beginNext();
  commitAll();
  // No caller waits any more.
  connection.close();
  port.close();
});

/** Starts waiting calls for a while. Commits and new calls get their turn in between. */
function takeTurn(): void {
  const untilMs = performance.now() + TURN_MS;
  while (waiting.length > 0 && performance.now() < untilMs) beginNext();
  if (waiting.length > 0) setImmediate(takeTurn);
}

function beginNext(): void {
  const first = waiting.findIndex(({ isUrgent }) => isUrgent);
  for (const call of waiting.splice(Math.max(0, first), 1)) {
    void replyTo(call).then((reply) => port?.postMessage(reply));
  }
}

async function replyTo({ id, path, args, fence }: Call): Promise<Reply> {
  try {
    const method = path
      .split('/')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], storeOf(fence));
    const value = await (method as (...args: unknown[]) => Promise<unknown>)(...(unpacked(args) as unknown[]));
    return { id, value: packed(value) };
  } catch (error) {
    return { id, error: packedError(error) };
  }
}

function storeOf(fence: Fence | null): Store {
  if (fence === null) return store;
  const key = `${fence.fence} ${fence.account}`;
  const known = stores.get(key) ?? createStore(db, now, fence);
  if (stores.size >= MAX_FENCES) stores.clear();
  stores.set(key, known);
  return known;
}
