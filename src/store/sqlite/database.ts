import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { type CommitEngine, createCommits } from '../sql/commits.ts';
import type { Database, Queryable, Shared } from '../sql/database.ts';
import { drizzle, migrate, sql } from '../sql/orm.ts';
import { StoreError } from '../store-error.ts';
import { sqliteEngine } from './commit-engine.ts';
import { copyDatabase } from './copy.ts';
import { diskTrouble, storeError } from './disk-trouble.ts';
import { guardedEngine, newerSqlite } from './guarded-engine.ts';
import { type Lock, LockHeldError, tryLock } from './lock.ts';
import { logSyncOf } from './log-sync.ts';
import { generationOf } from './read-snapshot.ts';
import {
  adoptFormer,
  differencesMend,
  differencesText,
  lastingDifferences,
  MIGRATIONS_DIR,
  protectAudit,
  type SchemaVersions,
  schemaVersions,
} from './schema.ts';
import { keepStatements } from './statements.ts';

type Drizzle = BetterSQLite3Database;

/** The size to which the log is cut after a checkpoint. A large transaction makes it grow. */
const LOG_KEPT_BYTES = 16 * 1024 * 1024;
const CACHE_KIB = 4_096;
/** Pages freed at a time: about 16 MB, a fraction of a second. */
const PAGES_AT_ONCE = 4_000;
const BUSY_TIMEOUT_MS = 10_000;
const LOCK_WAIT_MS = 60_000;
const LOCK_EVERY_MS = 50;

/** Programs that share a file are on one machine and write one after the other. */
export const SHARED: Shared = {
  isAlone: true,
  clockMs: (nowMs) => sql<number>`${nowMs}`,
  tryLock: () => true,
  lastAuditId: sql`(select seq from sqlite_sequence where name = 'audit')`,
  rowId: sql`rowid`,
};

export interface OpenDatabase {
  readonly db: Database;
  readonly sqlite: SqliteDatabase.Database;
  /** How many migrations were applied now, and the backup taken before them. */
  readonly migrated: { readonly count: number; readonly backup: string | null };
  readonly isNew: boolean;
  giveBackSpace(): void;
  close(): void;
}

export interface Connected {
  readonly db: Database;
  commitAll(): void;
  close(): void;
}

export function databasePath(dir: string): string {
  return join(dir, 'stockbridge.db');
}

/**
 * Opens the database in `dir` and migrates it after a backup.
 * @throws StoreError when it is newer, has another schema than its migrations, or is no database.
 * @throws LockHeldError when another process has been migrating it for very long.
 */
export async function openDatabase(dir: string, migrationsDir: string = MIGRATIONS_DIR): Promise<OpenDatabase> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = databasePath(dir);
  const sqlite = openSqlite(path);
  try {
    const drizzled = drizzle(sqlite);
    const migrated = await bringUpToDate(drizzled, sqlite, path, migrationsDir);
    protectAudit(sqlite);
    const log = logSyncOf(sqlite, path);
    const { db, commitAll } = connected(sqlite, drizzled, guardedEngine(sqlite, path, migrationsDir, log));
    const close = () => {
      commitAll();
      log?.close();
      sqlite.close();
    };
    const giveBackSpace = () => {
      generationOf(sqlite).end();
      sqlite.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
    };
    const isNew = migrated.count > 0 && migrated.backup === null;
    return { db, sqlite, migrated, isNew, giveBackSpace, close };
  } catch (error) {
    sqlite.close();
    throw error instanceof StoreError || diskTrouble(error, dir) === null ? error : cannotBeOpened(path, error);
  }
}

/**
 * Opens a database that cannot be written for reading. Every transaction is refused with `why`.
 * @throws StoreError when it cannot be read either, or has another version.
 */
export function openDatabaseForReading(dir: string, why: Error): OpenDatabase {
  const path = databasePath(dir);
  const sqlite = openToRead(path);
  try {
    if (!isUpToDate(sqlite, path, MIGRATIONS_DIR)) throw why;
    const refuse = () => Promise.reject(why);
    const apart = () => {
      throw why;
    };
    const db = Object.assign(drizzle(sqlite), {
      snapshot: snapshotOf(sqlite),
      transaction: refuse,
      note: refuse,
      apart,
      shared: SHARED,
    });
    keepStatements(sqlite);
    const migrated = { count: 0, backup: null };
    return { db, sqlite, migrated, isNew: false, giveBackSpace: () => {}, close: () => sqlite.close() };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Reads and transactions of one connection. Closing it commits the gathered work. */
export function connected(
  sqlite: SqliteDatabase.Database,
  drizzled: Drizzle,
  engine: CommitEngine = sqliteEngine(sqlite),
): Connected {
  keepStatements(sqlite);
  const { transaction, note, apart, commitAll } = createCommits<Queryable>(engine, drizzled);
  const db = Object.assign(drizzled, { snapshot: snapshotOf(sqlite), transaction, note, apart, shared: SHARED });
  const close = () => {
    commitAll();
    sqlite.close();
  };
  return { db, commitAll, close };
}

export function snapshotOf(sqlite: SqliteDatabase.Database): Database['snapshot'] {
  const generation = generationOf(sqlite);
  return <Result>(read: () => Result) => {
    try {
      return generation.read(read);
    } catch (error) {
      throw storeError(error);
    }
  };
}

/**
 * Reads the versions of the database in `dir` without a change. null: no database.
 * @throws StoreError when it is no database, or has another schema than its migrations.
 */
export function inspectDatabase(dir: string, migrationsDir: string = MIGRATIONS_DIR): SchemaVersions | null {
  return lookAt(dir, (sqlite, path) => {
    const versions = schemaVersions(sqlite, migrationsDir);
    if (!versions.newer) refuseOtherSchema(sqlite, path, migrationsDir);
    return versions;
  });
}

/** Reads the version before the database is opened, because opening compares its schema with its migrations. */
export function databaseVersions(dir: string, migrationsDir: string = MIGRATIONS_DIR): SchemaVersions | null {
  return lookAt(dir, (sqlite) => schemaVersions(sqlite, migrationsDir));
}

function lookAt<T>(dir: string, look: (sqlite: SqliteDatabase.Database, path: string) => T): T | null {
  const path = databasePath(dir);
  if (!existsSync(path)) return null;
  const sqlite = openToRead(path);
  try {
    return look(sqlite, path);
  } catch (error) {
    throw error instanceof StoreError ? error : cannotBeOpened(path, error);
  } finally {
    sqlite.close();
  }
}

/** @throws StoreError when the file is unreadable or no database. */
export function openToRead(path: string): SqliteDatabase.Database {
  try {
    return openForReading(path);
  } catch (error) {
    throw cannotBeOpened(path, error);
  }
}

function openSqlite(path: string): SqliteDatabase.Database {
  let sqlite: SqliteDatabase.Database | undefined;
  try {
    sqlite = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
    closeToOthers(path);
    // Free space is returned bit by bit (daemon/worker/housekeeping.ts). SQLite accepts this setting only before there
    // are tables.
    sqlite.pragma('auto_vacuum = INCREMENTAL');
    sqlite.pragma('journal_mode = WAL');
    for (const beside of ['-wal', '-shm']) closeToOthers(`${path}${beside}`);
    sqlite.pragma(`journal_size_limit = ${LOG_KEPT_BYTES}`);
    // The system caches the file anyway. A cache that grows with the data would look like a leak.
    sqlite.pragma(`cache_size = -${CACHE_KIB}`);
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    // Deleted data is overwritten, because it may be personal.
    sqlite.pragma('secure_delete = ON');
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw cannotBeOpened(path, error);
  }
}

function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
}

function cannotBeOpened(path: string, error: unknown): StoreError {
  const why = error instanceof Error ? error.message : String(error);
  const trouble = diskTrouble(error, dirname(path));
  const advice =
    trouble === null
      ? 'Check the disk and the permissions of its directory, or put a backup in its place with "stockbridge restore".'
      : `${trouble}. Leave the database where it is: this does not mean that it is damaged.`;
  return new StoreError(`${path} cannot be opened: ${why}. ${advice}`, { cause: error });
}

export function noDatabase(dir: string): StoreError {
  const ranBefore = existsSync(dir) && readdirSync(dir).length > 0;
  const lost = ranBefore
    ? ', or the database was lost: then "stockbridge restore FILE" puts a backup in its place, and "stockbridge rebuild" does without one'
    : '';
  return new StoreError(
    `${databasePath(dir)} does not exist: nothing has run with this configuration yet${lost}. If something has, state.dir is meant from another working directory.`,
  );
}

async function bringUpToDate(
  db: Drizzle,
  sqlite: SqliteDatabase.Database,
  path: string,
  migrationsDir: string,
): Promise<OpenDatabase['migrated']> {
  if (isUpToDate(sqlite, path, migrationsDir)) return { count: 0, backup: null };
  const lock = await lockForMigrating(dirname(path));
  try {
    // Another process may have migrated meanwhile.
    if (isUpToDate(sqlite, path, migrationsDir)) return { count: 0, backup: null };
    const { applied, known } = schemaVersions(sqlite, migrationsDir);
    const backup = applied === 0 ? null : backupName(path, applied);
    if (backup !== null) copyDatabase(sqlite, backup);
    adoptFormer(sqlite, migrationsDir);
    migrate(db, { migrationsFolder: migrationsDir });
    return { count: known - applied, backup };
  } finally {
    lock.release();
  }
}

function isUpToDate(sqlite: SqliteDatabase.Database, path: string, migrationsDir: string): boolean {
  const { applied, known, newer } = schemaVersions(sqlite, migrationsDir);
  if (newer) throw newerSqlite(path);
  refuseOtherSchema(sqlite, path, migrationsDir);
  return applied === known;
}

function refuseOtherSchema(sqlite: SqliteDatabase.Database, path: string, migrationsDir: string): void {
  const differences = lastingDifferences(sqlite, migrationsDir);
  if (differences.length === 0) return;
  throw new StoreError(
    `${path} does not have the schema that the program works with: ${differencesText(differences)}. To mend it, ${differencesMend(differences)}.`,
  );
}

/** The processes of a daemon start together, and one of them migrates. */
async function lockForMigrating(dir: string): Promise<Lock> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS; waitedMs += LOCK_EVERY_MS) {
    const lock = tryLock(dir, 'migrate');
    if (lock !== null) return lock;
    await sleep(LOCK_EVERY_MS);
  }
  throw new LockHeldError(`another stockbridge is still migrating the database in ${dir}: try again when it is done`);
}

function backupName(path: string, applied: number): string {
  const base = join(dirname(path), `backup-before-migration-${applied + 1}`);
  let name = `${base}.db`;
  for (let copy = 2; existsSync(name) && copy < 100; copy += 1) name = `${base}-${copy}.db`;
  return name;
}

/**
 * SQLite keeps an index of the log in a file next to the database. If that cannot be written and no other process uses
 * the database, the index is kept in memory.
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

/** The first read shows whether the database can be read. */
function readable(sqlite: SqliteDatabase.Database): SqliteDatabase.Database {
  try {
    sqlite.prepare('select 1 from sqlite_master').get();
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
