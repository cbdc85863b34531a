import { constants, copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { BOOT } from '../sql/clock-set-back.ts';
import { StoreError } from '../store-error.ts';
import { copyDatabase, integrityProblem } from './copy.ts';
import { databasePath, openToRead } from './database.ts';
import { LockHeldError } from './lock.ts';
import { differencesText, type SchemaVersions, schemaDifferences, schemaVersions } from './schema.ts';
import { strayCells } from './stray-cells.ts';

export interface Backup {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Copies a database of any version into `file` while others write; see `copyDatabase`.
 * @throws StoreError when there is no database, or `file` exists and may not be replaced.
 */
export async function backupDatabase(dir: string, file: string, replace: boolean): Promise<Backup> {
  const path = databasePath(dir);
  if (!existsSync(path)) throw new StoreError(`${path} does not exist: there is nothing to back up`);
  refuseTarget(path, file, replace);
  const sqlite = openToRead(path);
  try {
    copyDatabase(sqlite, file);
  } finally {
    sqlite.close();
  }
  return { file, bytes: statSync(file).size };
}

function refuseTarget(path: string, file: string, replace: boolean): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new StoreError(`the folder ${folder} does not exist: create it, or name another`);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) throw new StoreError(`${file} is a folder: name a file, such as ${join(file, 'backup.db')}`);
  const own = statSync(path);
  if (found.ino === own.ino && found.dev === own.dev) {
    throw new StoreError(`${file} is the database itself: name another file`);
  }
  if (!replace) throw new StoreError(`${file} exists already: name another file, or add --force to replace it`);
}

export interface Restored {
  readonly path: string;
  /** Where the former database is kept; null: there was none. */
  readonly kept: string | null;
  readonly schema: SchemaVersions;
}

const BESIDE = ['-wal', '-shm'] as const;

/**
 * Replaces the database by a backup and keeps the present one next to it. The caller holds every lock of the folder.
 * @throws StoreError when the file is no sound database of this program or a newer version's; nothing is changed.
 * @throws LockHeldError when another process has the present database open.
 */
export async function restoreDatabase(dir: string, file: string, nowMs: number): Promise<Restored> {
  const path = databasePath(dir);
  const source = openBackup(file, path);
  try {
    const schema = soundSchema(source, file);
    const kept = existsSync(path) ? keepAside(path, nowMs) : null;
    // SQLite would replay the old database's write-ahead log into the new one.
    for (const suffix of BESIDE) rmSync(`${path}${suffix}`, { force: true });
    copyDatabase(source, path);
    forgetReads(path);
    return { path, kept, schema };
  } finally {
    source.close();
  }
}

function openBackup(file: string, path: string): SqliteDatabase.Database {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreError(`${file} does not exist`);
  if (!found.isFile()) throw new StoreError(`${file} is not a file`);
  const own = statSync(path, { throwIfNoEntry: false });
  if (own?.ino === found.ino && own.dev === found.dev) {
    throw new StoreError(`${file} is the database in use: name the backup to put in its place`);
  }
  return new SqliteDatabase(file, { readonly: true, fileMustExist: true });
}

function soundSchema(source: SqliteDatabase.Database, file: string): SchemaVersions {
  const refuse = (why: string, options?: ErrorOptions) =>
    new StoreError(`${file} ${why}: nothing was changed. Name another backup`, options);
  try {
    const schema = schemaVersions(source);
    const fault = faultOf(source, schema);
    if (fault !== null) throw refuse(fault);
    return schema;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw refuse(`cannot be read as a database (${why})`, { cause: error });
  }
}

function faultOf(source: SqliteDatabase.Database, { applied, known, newer }: SchemaVersions): string | null {
  if (applied === 0) return 'is not a database of stockbridge';
  if (newer) return 'was written by a newer version of stockbridge, which alone can use it';
  const differences = schemaDifferences(source);
  if (differences.length > 0) return `has a wrong schema (${differencesText(differences)})`;
  // This check follows that of the schema, because it evaluates expressions of the schema.
  const problem = integrityProblem(source);
  if (problem !== null) return `is damaged (${problem})`;
  const stray = strayCells(source, applied === known);
  return stray.length === 0 ? null : `holds what stockbridge never writes (${stray.join(', ')})`;
}

/**
 * Marks the database as restored: its reads are older than the present state (`shadow/last-read.ts`), and it lacks the
 * requests sent since.
 */
function forgetReads(path: string): void {
  const restored = new SqliteDatabase(path, { fileMustExist: true });
  try {
    restored.exec(`DELETE FROM facts WHERE name LIKE 'read-at:%' OR name = '${BOOT}'`);
  } finally {
    restored.close();
  }
}

/** Keeps an unreadable database too, with its files unchanged. */
function keepAside(path: string, nowMs: number): string {
  foldLog(path);
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  const side = path.replace(/\.db$/, `-before-restore-${stamp}.db`);
  for (const suffix of ['', ...BESIDE]) {
    if (!existsSync(`${path}${suffix}`)) continue;
    copyFileSync(`${path}${suffix}`, `${side}${suffix}`, constants.COPYFILE_EXCL);
  }
  return side;
}

/** Moves the rest of the log into the database. SQLite does so only for a process with exclusive use. */
function foldLog(path: string): void {
  let sqlite: SqliteDatabase.Database | undefined;
  try {
    sqlite = new SqliteDatabase(path, { timeout: 0 });
    sqlite.pragma('journal_mode = DELETE');
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new LockHeldError(`another process has ${path} open: end it, then restore again`, { cause: error });
    }
  } finally {
    sqlite?.close();
  }
}
