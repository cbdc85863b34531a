import { Worker } from 'node:worker_threads';
import type { Database } from '../sql/database.ts';
import type { Fence } from '../sql/leases.ts';
import { createStore } from '../sql/store.ts';
import type { SchemaVersions } from '../sqlite/schema.ts';
import type { Store } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { isUrgent } from '../urgent.ts';
import { packed, unpacked, unpackedError } from './codec.ts';
import type { Call, Migrated, Opening, Reply } from './messages.ts';

/** The most waiting calls. Further ones are refused. */
const MAX_WAITING = 20_000;

export interface OpenPostgres {
  readonly store: Store;
  /** The store under a lease. Writes are refused with LeaseLost once the lease is over. */
  fenced(account: string, fence: number): Store;
  readonly migrated: Migrated;
  /** Resolves when the connection is closed. */
  close(): Promise<void>;
}

/**
 * Reads the versions without a change. null: nothing was ever stored.
 * @throws StoreError when the database is unreachable, newer, or has changed tables
 */
export async function versionsInPostgres(url: string): Promise<SchemaVersions | null> {
  const worker = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData: { url, look: true } });
  const versions = await opened<SchemaVersions | null>(worker);
  void worker.terminate();
  return versions;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Opens the store on PostgreSQL and migrates it.
 * @param url `postgres://user:password@host/database`
 * @param now epoch milliseconds
 * @param mayUpgrade also an older database, which nobody may use meanwhile
 * @throws StoreError when the database is unreachable, newer, or has changed tables
 */
export async function openPostgres(url: string, now: () => number, mayUpgrade: boolean): Promise<OpenPostgres> {
  const clock = new SharedArrayBuffer(8);
  const clockMs = new BigInt64Array(clock);
  Atomics.store(clockMs, 0, BigInt(now()));
  const worker = new Worker(new URL('./store-thread.ts', import.meta.url), { workerData: { url, clock, mayUpgrade } });
  const migrated = await opened<Migrated>(worker);
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let isOver: StoreError | null = null;
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  /** The thread keeps the program alive only while calls or its closing are pending. */
  const releaseIfIdle = (): void => {
    if (waiting.size === 0 && isOver === null) worker.unref();
  };
  const settle = (id: number, how: (one: Waiting) => void): void => {
    const one = waiting.get(id);
    waiting.delete(id);
    releaseIfIdle();
    if (one !== undefined) how(one);
  };
  const end = (error: StoreError): void => {
    isOver ??= error;
    for (const id of waiting.keys()) settle(id, ({ reject }) => reject(error));
  };
  worker.on('message', (reply: Reply) =>
    settle(reply.id, ({ resolve, reject }) => {
      if ('error' in reply) reject(unpackedError(reply.error));
      else resolve(unpacked(reply.value));
    }),
  );
  worker.on('error', (cause) => end(new StoreError('the thread of PostgreSQL ended', { cause })));
  worker.on('exit', () => end(new StoreError('the store on PostgreSQL is closed')));
  releaseIfIdle();

  const call = (fence: Fence | null, path: string, args: unknown[]): Promise<unknown> => {
    if (isOver !== null) return Promise.reject(isOver);
    if (waiting.size >= MAX_WAITING) {
      return Promise.reject(new StoreError(`more than ${MAX_WAITING} calls wait for PostgreSQL: it is too slow`));
    }
    Atomics.store(clockMs, 0, BigInt(Math.trunc(now())));
    last += 1;
    const id = last;
    worker.ref();
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, path, args: packed(args), fence, isUrgent: isUrgent() } satisfies Call);
    });
  };
  const storeOf = (fence: Fence | null) =>
    withCalls(SHAPE, '', (path, args) => call(fence, path, args)) as unknown as Store;

  return {
    store: storeOf(null),
    fenced: (account, fence) => storeOf({ account, fence }),
    migrated,
    close() {
      isOver ??= new StoreError('the store on PostgreSQL is closed');
      worker.ref();
      worker.postMessage('close');
      return gone;
    },
  };
}

async function opened<Answer>(worker: Worker): Promise<Answer> {
  const opening = await new Promise<Opening>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if ('opened' in opening) return opening.opened as Answer;
  void worker.terminate();
  throw unpackedError(opening.refused);
}

/** The names of all store methods. None of these methods is ever called. */
const SHAPE = createStore({ shared: {} } as Database, () => 0) as unknown as Shape;

interface Shape {
  readonly [name: string]: Shape | ((...args: unknown[]) => unknown);
}

function withCalls(shape: Shape, prefix: string, call: (path: string, args: unknown[]) => Promise<unknown>): Shape {
  const entries = Object.entries(shape).map(([name, part]) => {
    const path = `${prefix}${name}`;
    if (typeof part !== 'function') return [name, withCalls(part, `${path}/`, call)] as const;
    return [name, (...args: unknown[]) => call(path, args)] as const;
  });
  return Object.fromEntries(entries) as Shape;
}
