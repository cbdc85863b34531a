import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import * as schema from './schema.ts';

export type Database = BetterSQLite3Database<typeof schema>;
/** Inside a transaction, or the database itself: what a query runs on. */
export type Queryable = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'run' | 'get' | 'all'>;

const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));
const BUSY_TIMEOUT_MS = 10_000;

/** The database cannot be used as it is; the message says why and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

export interface OpenDatabase {
  readonly db: Database;
  readonly sqlite: SqliteDatabase.Database;
  /** Migrations applied now, and the backup that was taken before them. */
  readonly migrated: { readonly count: number; readonly backup: string | null };
  close(): void;
}

export function databasePath(dir: string): string {
  return join(dir, 'stockbridge.db');
}

/**
 * Opens the database in `dir`, applying the migrations it lacks after a backup.
 * @throws StoreError when it was written by a newer version, or is not a database.
 */
export async function openDatabase(dir: string): Promise<OpenDatabase> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = databasePath(dir);
  const sqlite = openSqlite(path);
  try {
    const db = drizzle(sqlite, { schema });
    const migrated = await applyMigrations(db, sqlite, path);
    return { db, sqlite, migrated, close: () => sqlite.close() };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function openSqlite(path: string): SqliteDatabase.Database {
  try {
    const sqlite = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
    chmodSync(path, 0o600);
    sqlite.pragma('journal_mode = WAL');
    // An intent must be on the disk before the call it announces.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    return sqlite;
  } catch (error) {
    throw new StoreError(
      `${path} cannot be opened: ${(error as Error).message}. Check the disk and the permissions of its directory, or put a backup in its place with "stockbridge restore".`,
      { cause: error },
    );
  }
}

/** How many migrations the database has, and how many this program knows. */
export function schemaVersions(sqlite: SqliteDatabase.Database): { applied: number; known: number; newer: boolean } {
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS_DIR });
  const table = sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get();
  if (table === undefined) return { applied: 0, known: known.length, newer: false };
  const rows = sqlite.prepare('select hash from __drizzle_migrations').all() as { hash: string }[];
  const hashes = new Set(known.map((migration) => migration.hash));
  return { applied: rows.length, known: known.length, newer: rows.some((row) => !hashes.has(row.hash)) };
}

async function applyMigrations(
  db: Database,
  sqlite: SqliteDatabase.Database,
  path: string,
): Promise<{ count: number; backup: string | null }> {
  const { applied, known, newer } = schemaVersions(sqlite);
  if (newer) {
    throw new StoreError(
      `${path} was written by a newer version of stockbridge (it has schema changes this version does not know). Start that version, or restore the backup that was taken before it was upgraded (${dirname(path)}/backup-*.db).`,
    );
  }
  if (applied === known) return { count: 0, backup: null };
  const backup = applied === 0 ? null : backupName(path, applied);
  if (backup !== null) {
    await sqlite.backup(backup);
    chmodSync(backup, 0o600);
  }
  migrate(db, { migrationsFolder: MIGRATIONS_DIR });
  return { count: known - applied, backup };
}

function backupName(path: string, applied: number): string {
  const base = join(dirname(path), `backup-before-migration-${applied + 1}`);
  let name = `${base}.db`;
  for (let copy = 2; existsSync(name) && copy < 100; copy += 1) name = `${base}-${copy}.db`;
  return name;
}
