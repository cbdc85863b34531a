import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Cause } from '../../domain/causes/cause.ts';
import type { ListName } from './settings.ts';

/**
 * The data of all files of one ERP: the latest snapshot of each list with the changes since, in a small database of its own. The
 * archive holds the same files, so the view can be rebuilt from it.
 */
export interface View {
  /** Runs `work` in one transaction, while no other process can write. */
  transaction<T>(work: () => T): T;
  readonly db: SqliteDatabase.Database;
  close(): void;
}

/**
 * The clock of a list is the time of its latest file, in microseconds, and never goes back: an older file moves it by one. The
 * `seen` of a row is one more than the clock before the file of the row. So a reader that has read up to a clock has seen every
 * row up to it, and reads no row twice.
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
  // Rows may hold personal data, so a deleted row is overwritten on the disk.
  db.pragma('secure_delete = ON');
  renameColumns(db);
  db.exec(SCHEMA);
  db.exec(STAGED);
  return {
    db,
    transaction: (work) => db.transaction(work).immediate(),
    close: () => {
      db.close();
    },
  };
}

/** A view may have been made before invalid rows had this name. */
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

/** Has the view been filled from the archive? */
export function isKept({ db }: View): boolean {
  return db.pragma('user_version', { simple: true }) === 1;
}

export function keep({ db }: View): void {
  db.pragma('user_version = 1');
}

/** The clock of a list; 0 before its first file. */
export function clockOf({ db }: View, list: ListName): number {
  const found = db.prepare('SELECT clock FROM clocks WHERE list = ?').pluck().get(list) as number | undefined;
  return found ?? 0;
}

/**
 * Moves the clock of a list to this time, or by one microsecond where it is there already.
 * @returns the `seen` of the rows of this file
 */
export function moveClock(view: View, list: ListName, toUs: number): number {
  const before = clockOf(view, list);
  const clock = Math.max(toUs, before + 1);
  view.db
    .prepare('INSERT INTO clocks VALUES (?, ?, 0, NULL) ON CONFLICT (list) DO UPDATE SET clock = excluded.clock')
    .run(list, clock);
  return before + 1;
}

/** Moves the clock of a list to the latest clock of all lists, since no file says that nothing has changed. */
export function followClock(view: View, list: ListName): void {
  const latest = (view.db.prepare('SELECT max(clock) FROM clocks').pluck().get() as number | null) ?? 0;
  if (latest > clockOf(view, list)) moveClock(view, list, latest);
}

/** Notes that a snapshot of this list has been taken. */
export function noteWhole({ db }: View, list: ListName, rows: number): void {
  db.prepare('UPDATE clocks SET whole = 1, rows = ? WHERE list = ?').run(rows, list);
}

/** The latest snapshot; null when none has been taken yet. */
export function lastWhole({ db }: View, list: ListName): { readonly rows: number } | null {
  const found = db.prepare('SELECT rows FROM clocks WHERE list = ? AND whole = 1').get(list);
  return (found as { rows: number } | undefined) ?? null;
}

/** The notices about a list. A notice about the list itself has an empty name in place of a file. */
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

/** The files of a list that have a notice. */
export function noticedFiles({ db }: View, list: ListName): (Named & { readonly cause: Cause })[] {
  const found = db.prepare('SELECT file AS name, size, mtime AS mtimeMs, cause FROM notices WHERE list = ?').all(list);
  return (found as (Named & { cause: string })[]).map((one) => ({ ...one, cause: JSON.parse(one.cause) as Cause }));
}

export interface TakenFile extends Named {
  readonly list: ListName;
  /** The identity of the file: the hash of its content, and the time that its name tells. */
  readonly identity: string;
  readonly toldFrom: string;
  readonly snapshot: boolean;
}

export function noteTaken({ db }: View, file: TakenFile, atMs: number): void {
  const { list, identity, name, size, mtimeMs, toldFrom, snapshot } = file;
  const insert = db.prepare('INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  insert.run(list, identity, name, size, mtimeMs, toldFrom, snapshot ? 1 : 0, atMs);
}

/** The name under which a file of this identity was taken; null when none was. */
export function takenAs({ db }: View, list: ListName, identity: string): string | null {
  const found = db.prepare('SELECT name FROM files WHERE list = ? AND identity = ?').pluck().get(list, identity);
  return (found as string | undefined) ?? null;
}

/** The latest change of any taken file of a list, in epoch milliseconds; null without a file. */
export function newestTaken({ db }: View, list: ListName): number | null {
  return db.prepare('SELECT max(mtime) FROM files WHERE list = ?').pluck().get(list) as number | null;
}

/** Was this file taken already, with the same size and time? */
export function wasTaken({ db }: View, list: ListName, { name, size, mtimeMs }: Named): boolean {
  const found = db.prepare('SELECT 1 FROM files WHERE list = ? AND name = ? AND size = ? AND mtime = ?');
  return found.get(list, name, size, mtimeMs) !== undefined;
}

/** The latest time that a file of the list tells, and the latest time of taking a file, in epoch milliseconds. */
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
