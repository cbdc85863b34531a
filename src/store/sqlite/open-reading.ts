import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { diskTrouble } from './disk-trouble.ts';

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens a database for reads only. SQLite keeps an index of the log in a file beside the database. When that file cannot be
 * written, the index is kept in memory, if no other process has the database open.
 * @throws SQLite's error
 */
export function openForReading(path: string): SqliteDatabase.Database {
  try {
    return readable(new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS }));
  } catch (error) {
    if (diskTrouble(error, dirname(path)) === null) throw error;
    return openAlone(path, error);
  }
}

function openAlone(path: string, why: unknown): SqliteDatabase.Database {
  let sqlite: SqliteDatabase.Database | undefined;
  try {
    sqlite = new SqliteDatabase(path, { fileMustExist: true, timeout: 0 });
    sqlite.pragma('locking_mode = EXCLUSIVE');
    sqlite.pragma('query_only = ON');
    return readable(sqlite);
  } catch {
    sqlite?.close();
    throw why;
  }
}

/** Looks once, because the first read shows whether the database can be read. */
function readable(sqlite: SqliteDatabase.Database): SqliteDatabase.Database {
  try {
    sqlite.prepare('select 1 from sqlite_master').get();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
