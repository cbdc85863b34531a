import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { StoreError } from '../store-error.ts';
import { diskTrouble } from './disk-trouble.ts';

const OWNER_ONLY = 0o600;
/** SQLite starts over if another process writes between two steps, so all pages are copied in one. */
const ALL_PAGES = 0x7fffffff;

/**
 * Writes one state of the database into `file` while others write: a single verified file for its owner only, without
 * deleted data. An earlier file stays until the copy is complete.
 * @throws StoreError when the database or the copy is damaged, or the copy cannot be written.
 */
export function copyDatabase(sqlite: SqliteDatabase.Database, file: string): void {
  const unfinished = `${file}.unfinished`;
  try {
    // A copy is rebuilt from the rows, so it would not show damage of the database.
    const problem = integrityProblem(sqlite);
    if (problem !== null) throw new StoreError(`the database is damaged (${problem}): it was not copied`);
    makeEmpty(unfinished);
    sqlite.prepare('vacuum into ?').run(unfinished);
    finish(unfinished);
    putInPlace(unfinished, file);
  } catch (error) {
    const trouble = diskTrouble(error, resolve(dirname(file)));
    if (trouble === null) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreError(`${file} cannot be written: ${why}. ${trouble}`, { cause: error });
  } finally {
    for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(`${unfinished}${rest}`, { force: true });
  }
}

/** The same with free pages and without checks. Replaces an earlier file at once. */
export async function copyPages(sqlite: SqliteDatabase.Database, file: string): Promise<void> {
  makeEmpty(file);
  await sqlite.backup(file, { progress: () => ALL_PAGES });
}

function makeEmpty(file: string): void {
  rmSync(file, { force: true });
  closeSync(openSync(file, 'wx', OWNER_ONLY));
}

function finish(file: string): void {
  const copy = new SqliteDatabase(file, { fileMustExist: true });
  try {
    // Without a write-ahead log, the copy is one file that can be moved, and opened in a read-only folder.
    copy.pragma('journal_mode = DELETE');
    const problem = integrityProblem(copy);
    if (problem !== null) throw new StoreError(`the copy is damaged (${problem}), so the database itself may be`);
  } finally {
    copy.close();
  }
  chmodSync(file, OWNER_ONLY);
}

/** null: no findings. Reads the whole database. */
export function integrityProblem(sqlite: SqliteDatabase.Database): string | null {
  const found = sqlite.pragma('integrity_check(1)', { simple: true });
  return found === 'ok' ? null : String(found).replaceAll('\n', ' ');
}

/** Replaces `file` atomically: after a crash, either the old or the new file is there. */
function putInPlace(finished: string, file: string): void {
  syncToDisk(finished);
  renameSync(finished, file);
  syncToDisk(dirname(file));
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
