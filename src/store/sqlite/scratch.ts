import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Store } from '../store.ts';
import { createCommits } from './commits.ts';
import { type Database, databasePath, openToRead, type Queryable, snapshotOf } from './database.ts';
import { drizzle } from './orm.ts';
import { keepStatements } from './statements.ts';
import { createStore } from './store.ts';

export interface Scratch {
  readonly store: Store;
  close(): void;
}

const OWNER_ONLY = 0o600;
const ALL_PAGES = 0x7fffffff;

/**
 * A copy of the data folder's store, as it is at this instant, to try things on. Nothing of it is left after it is closed, or
 * after the program is killed: the copy has no name.
 * @param now epoch milliseconds
 */
export async function openScratch(dir: string, now: () => number): Promise<Scratch> {
  const file = join(dir, `scratch-${process.pid}.db`);
  const original = openToRead(databasePath(dir));
  try {
    rmSync(file, { force: true });
    closeSync(openSync(file, 'wx', OWNER_ONLY));
    await original.backup(file, { progress: () => ALL_PAGES });
    const sqlite = new SqliteDatabase(file);
    // A journal beside it would need its name.
    sqlite.pragma('journal_mode = MEMORY');
    sqlite.pragma('synchronous = OFF');
    rmSync(file);
    return scratchOf(sqlite, now);
  } finally {
    original.close();
    rmSync(file, { force: true });
  }
}

/** @param sqlite the copy */
export function scratchOf(sqlite: SqliteDatabase.Database, now: () => number): Scratch {
  const drizzled = drizzle(sqlite);
  keepStatements(sqlite);
  const { transaction, note, commitAll } = createCommits<Queryable>(sqlite, drizzled);
  const db: Database = Object.assign(drizzled, { snapshot: snapshotOf(sqlite), transaction, note });
  return {
    store: createStore(db, now),
    close() {
      commitAll();
      sqlite.close();
    },
  };
}
