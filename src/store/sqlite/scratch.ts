import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { drizzle } from '../sql/orm.ts';
import { createStore } from '../sql/store.ts';
import type { Store } from '../store.ts';
import { copyPages } from './copy.ts';
import { connected, databasePath, openToRead } from './database.ts';

export interface Scratch {
  readonly store: Store;
  close(): void;
}

/**
 * A copy of the data folder's store, as it is at this instant, to try things on. The name of the complete file is removed at
 * once, so nothing of the copy is left when the program ends. A program that is killed while it copies leaves the file.
 * @param now epoch milliseconds
 */
export async function openScratch(dir: string, now: () => number): Promise<Scratch> {
  const file = join(dir, `scratch-${process.pid}-${randomUUID()}.db`);
  const original = openToRead(databasePath(dir));
  try {
    await copyPages(original, file);
    const sqlite = new SqliteDatabase(file);
    // A journal beside the file would need the file's name.
    sqlite.pragma('journal_mode = MEMORY');
    sqlite.pragma('synchronous = OFF');
    return scratchOf(sqlite, now);
  } finally {
    original.close();
    rmSync(file, { force: true });
  }
}

/** @param sqlite the copy */
export function scratchOf(sqlite: SqliteDatabase.Database, now: () => number): Scratch {
  const { db, close } = connected(sqlite, drizzle(sqlite));
  return { store: createStore(db, now), close };
}
