import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Cause } from '../../domain/causes/cause.ts';
import type { ListName } from './settings.ts';

/**
 * The data of one ERP's files: each list's latest snapshot and its later changes. It is its own small database, rebuilt
 * from the archive if lost.
 */
export interface View {
  /** Runs `work` in one transaction that excludes other writers. */
  transaction<T>(work: () => T): T;
  readonly db: SqliteDatabase.Database;
  /** Opens another connection, which only reads. */
  reader(): SqliteDatabase.Database;
  close(): void;
}

/**
 * A list's clock is the time of its latest file in microseconds, and never goes back: an older file advances it by one.
 * A row's `seen` is one more than the clock before its file, so a reader up to a clock misses no row and reads none
 * twice.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS clocks (list TEXT PRIMARY KEY, clock INTEGER NOT NULL, whole INTEGER NOT NULL, rows INTEGER);
CREATE TABLE IF NOT EXISTS files (
  list TEXT NOT NULL, identity TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
  told_from TEXT NOT NULL, snapshot INTEGER NOT NULL, taken_at INTEGER NOT NULL, PRIMARY KEY (list, identity));
CREATE INDEX IF NOT EXISTS files_by_name ON files (list, name, size, mtime);
CREATE TABLE IF NOT EXISTS rows (
  list TEXT NOT NULL, key TEXT NOT NULL, sku TEXT, content TEXT NOT NULL, invalidRow TEXT, told_from TEXT NOT NULL,
  seen INTEGER NOT NULL, PRIMARY KEY (list, key));
CREATE INDEX IF NOT EXISTS rows_seen ON rows (list, seen);
CREATE INDEX IF NOT EXISTS rows_sku ON rows (list, sku);
CREATE TABLE IF NOT EXISTS notices (
  list TEXT NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, cause TEXT NOT NULL,
  PRIMARY KEY (list, file));
CREATE TABLE IF NOT EXISTS orders (
  reference TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, written TEXT NOT NULL, told TEXT, seen INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS orders_seen ON orders (seen);
`;

const STAGED = `CREATE TEMP TABLE IF NOT EXISTS staged (
  place INTEGER PRIMARY KEY, key TEXT NOT NULL, sku TEXT, content TEXT NOT NULL, invalidRow TEXT);
CREATE INDEX IF NOT EXISTS temp.staged_key ON staged (key);`;

const BUSY_TIMEOUT_MS = 10_000;

export function openView(path: string): View {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new SqliteDatabase(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.pragma('temp_store = FILE');
  // Deleted rows are overwritten on disk, since they may hold personal data.
  db.pragma('secure_delete = ON');
  renameColumns(db);
  db.exec(SCHEMA);
  db.exec(STAGED);
  return {
    db,
    transaction: (work) => db.transaction(work).immediate(),
    reader: () => new SqliteDatabase(path, { readonly: true, timeout: BUSY_TIMEOUT_MS }),
    close: () => {
      db.close();
    },
  };
}

/** Earlier views used another name for invalid rows. */
function renameColumns(db: SqliteDatabase.Database): void {
  const isEarlier = () =>
    db.prepare("SELECT 1 FROM pragma_table_info('rows') WHERE name = 'misfit'").get() !== undefined;
  const rename = () => {
    if (!isEarlier()) return;
    db.exec(`ALTER TABLE rows RENAME COLUMN misfit TO invalidRow;
      UPDATE notices SET cause = replace(replace(cause, '"erp-file-misfits"', '"erp-file-invalid-rows"'), '"misfits":', '"invalidRows":')`);
  };
  if (isEarlier()) db.transaction(rename).immediate();
}

export function isRestored({ db }: View): boolean {
  return db.pragma('user_version', { simple: true }) === 1;
}

export function markRestored({ db }: View): void {
  db.pragma('user_version = 1');
}

/** 0 before the first file. */
export function clockOf({ db }: View, list: ListName): number {
  const found = db.prepare('SELECT clock FROM clocks WHERE list = ?').pluck().get(list) as number | undefined;
  return found ?? 0;
}

/**
 * Advances the list's clock to this time, or by one microsecond.
 * @returns `seen` for the file's rows
 */
export function moveClock(view: View, list: ListName, toUs: number): number {
  const before = clockOf(view, list);
  const clock = Math.max(toUs, before + 1);
  view.db
    .prepare('INSERT INTO clocks VALUES (?, ?, 0, NULL) ON CONFLICT (list) DO UPDATE SET clock = excluded.clock')
    .run(list, clock);
  return before + 1;
}

/** Advances a list's clock to the latest of all lists, since no file says that nothing changed. */
export function followClock(view: View, list: ListName): void {
  const latest = (view.db.prepare('SELECT max(clock) FROM clocks').pluck().get() as number | null) ?? 0;
  if (latest > clockOf(view, list)) moveClock(view, list, latest);
}

export function recordSnapshot({ db }: View, list: ListName, rows: number): void {
  db.prepare('UPDATE clocks SET whole = 1, rows = ? WHERE list = ?').run(rows, list);
}

/** null: no snapshot yet. */
export function lastSnapshot({ db }: View, list: ListName): { readonly rows: number } | null {
  const found = db.prepare('SELECT rows FROM clocks WHERE list = ? AND whole = 1').get(list);
  return (found as { rows: number } | undefined) ?? null;
}

/** A notice about the list itself has an empty file name. */
export function noticesOf({ db }: View, list: ListName): Cause[] {
  const found = db.prepare('SELECT cause FROM notices WHERE list = ? ORDER BY file').pluck().all(list) as string[];
  return found.map((text) => JSON.parse(text) as Cause);
}

export interface Named {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export function setNotice({ db }: View, list: ListName, file: Named, cause: Cause): void {
  db.prepare('INSERT OR REPLACE INTO notices VALUES (?, ?, ?, ?, ?)').run(
    list,
    file.name,
    file.size,
    file.mtimeMs,
    JSON.stringify(cause),
  );
}

export function clearNotices({ db }: View, list: ListName, files: readonly string[]): void {
  const clear = db.prepare('DELETE FROM notices WHERE list = ? AND file = ?');
  for (const file of files) clear.run(list, file);
}

export function noticedFiles({ db }: View, list: ListName): (Named & { readonly cause: Cause })[] {
  const found = db.prepare('SELECT file AS name, size, mtime AS mtimeMs, cause FROM notices WHERE list = ?').all(list);
  return (found as (Named & { cause: string })[]).map((one) => ({ ...one, cause: JSON.parse(one.cause) as Cause }));
}

export interface ImportedFile extends Named {
  readonly list: ListName;
  /** The hash of the content, and the time in the name if any. */
  readonly identity: string;
  readonly toldFrom: string;
  readonly snapshot: boolean;
}

export function recordImport({ db }: View, file: ImportedFile, atMs: number): void {
  const { list, identity, name, size, mtimeMs, toldFrom, snapshot } = file;
  const insert = db.prepare('INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  insert.run(list, identity, name, size, mtimeMs, toldFrom, snapshot ? 1 : 0, atMs);
}

/** The name under which this identity was imported; null: never. */
export function importedName({ db }: View, list: ListName, identity: string): string | null {
  const found = db.prepare('SELECT name FROM files WHERE list = ? AND identity = ?').pluck().get(list, identity);
  return (found as string | undefined) ?? null;
}

/** The latest change of an imported file, in epoch milliseconds; null: none. */
export function latestImportedChange({ db }: View, list: ListName): number | null {
  return db.prepare('SELECT max(mtime) FROM files WHERE list = ?').pluck().get(list) as number | null;
}

/** Whether a file of this name, size and time was imported. */
export function wasImported({ db }: View, list: ListName, { name, size, mtimeMs }: Named): boolean {
  const found = db.prepare('SELECT 1 FROM files WHERE list = ? AND name = ? AND size = ? AND mtime = ?');
  return found.get(list, name, size, mtimeMs) !== undefined;
}

/** The latest time that a file states, and the latest import, in epoch milliseconds. */
export function latestFile(
  { db }: View,
  list: ListName,
  only: 'snapshots' | 'all' = 'all',
): { readonly toldFrom: string; readonly takenMs: number } | null {
  const found = db
    .prepare(
      `SELECT max(told_from) AS toldFrom, max(taken_at) AS takenMs FROM files
       WHERE list = ? AND snapshot >= ?`,
    )
    .get(list, only === 'snapshots' ? 1 : 0) as { toldFrom: string | null; takenMs: number };
  return found.toldFrom === null ? null : { toldFrom: found.toldFrom, takenMs: found.takenMs };
}
