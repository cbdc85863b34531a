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
 * Copies the data folder's database into an empty database in PostgreSQL, while nobody works on it. Each row is compared.
 * @throws StoreError when there is no database, or PostgreSQL is not empty: then nothing is copied
 */
export async function copyIntoPostgres({ state: { dir } }: Config, url: string): Promise<StoreCopy> {
  if (!existsSync(databasePath(dir))) throw noDatabase(dir);
  const locks = lockFolder(dir);
  try {
    // Opening brings each database to the tables of this version.
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
 * Copies the database in PostgreSQL into the data folder, which has no database yet, while no daemon lives.
 * @throws StoreError when the folder has a database, or a daemon works on PostgreSQL
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

/** Brings PostgreSQL up to date. @throws StoreError while a daemon works on it */
async function closedAfter(url: string): Promise<void> {
  const { store, close } = await openPostgres(url, Date.now, true);
  try {
    const [daemon] = (await store.leases.list()).daemons;
    if (daemon !== undefined) throw new StoreError(`${daemon.name} works on PostgreSQL: stop all daemons first`);
  } finally {
    await close();
  }
}
