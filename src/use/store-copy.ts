import { existsSync, mkdirSync, rmSync } from 'node:fs';
import type { Config } from '../config/resolve.ts';
import { type Copied, copyFromPostgres, copyToPostgres } from '../store/postgres/copy.ts';
import { openPostgres } from '../store/postgres/open.ts';
import { databasePath, noDatabase, openDatabase, openToRead } from '../store/sqlite/database.ts';
import { StoreError } from '../store/store-error.ts';
import { lockFolder } from './open.ts';

export interface StoreCopy {
  readonly to: string;
  readonly rows: Copied;
}

/**
 * Copies the unused folder's database into an empty PostgreSQL, and compares each row.
 * @throws StoreError without a database, or when PostgreSQL is not empty
 */
export async function copyIntoPostgres({ state: { dir } }: Config, url: string): Promise<StoreCopy> {
  if (!existsSync(databasePath(dir))) throw noDatabase(dir);
  const locks = lockFolder(dir);
  try {
    // Opening migrates each database.
    (await openDatabase(dir)).close();
    await closedAfter(url);
    const sqlite = openToRead(databasePath(dir));
    try {
      return { to: 'PostgreSQL', rows: await copyToPostgres(sqlite, url) };
    } finally {
      sqlite.close();
    }
  } finally {
    locks.release();
  }
}

/**
 * Copies PostgreSQL into a folder without a database, while no daemon runs.
 * @throws StoreError for an existing database or a running daemon
 */
export async function copyIntoFolder({ state: { dir } }: Config, url: string): Promise<StoreCopy> {
  const path = databasePath(dir);
  if (existsSync(path)) throw new StoreError(`${path} exists already: move it away, or name another state.dir`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const locks = lockFolder(dir);
  try {
    await closedAfter(url);
    const { sqlite, close } = await openDatabase(dir);
    try {
      return { to: path, rows: await copyFromPostgres(url, sqlite) };
    } catch (error) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      throw error;
    } finally {
      close();
    }
  } finally {
    locks.release();
  }
}

/** Migrates PostgreSQL. @throws StoreError while a daemon works on it */
async function closedAfter(url: string): Promise<void> {
  const { store, close } = await openPostgres(url, Date.now, true);
  try {
    const [daemon] = (await store.leases.list()).daemons;
    if (daemon !== undefined) throw new StoreError(`${daemon.name} works on PostgreSQL: stop all daemons first`);
  } finally {
    await close();
  }
}
