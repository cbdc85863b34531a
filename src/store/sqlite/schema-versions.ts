import { fileURLToPath } from 'node:url';
import type { Database as Sqlite } from 'better-sqlite3';
import { readMigrationFiles } from '../sql/orm.ts';

export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** How many migrations a database has, and how many this program knows. */
export interface SchemaVersions {
  readonly applied: number;
  readonly known: number;
  /** It has migrations that this program does not know. */
  readonly newer: boolean;
}

export function schemaVersions(sqlite: Sqlite, migrationsDir = MIGRATIONS_DIR): SchemaVersions {
  const known = readMigrationFiles({ migrationsFolder: migrationsDir });
  const has = appliedHashes(sqlite);
  const applied = known.filter((migration) => has.delete(migration.hash)).length;
  return { applied, known: known.length, newer: has.size > 0 };
}

/** The statements of the migrations that a database has. */
export function appliedStatements(sqlite: Sqlite, migrationsDir = MIGRATIONS_DIR): string[] {
  const has = appliedHashes(sqlite);
  return readMigrationFiles({ migrationsFolder: migrationsDir })
    .filter(({ hash }) => has.has(hash))
    .flatMap(({ sql }) => sql);
}

/** How the migrator makes the table in which it notes what it did. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE "__drizzle_migrations" ( id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric )';

function appliedHashes(sqlite: Sqlite): Set<string> {
  if (!hasMigrationsTable(sqlite)) return new Set();
  return new Set(sqlite.prepare('select hash from __drizzle_migrations').pluck().all() as string[]);
}

/** Exactly the one that the migrator makes. A view in its place would run whatever it was made of. */
export function hasMigrationsTable(sqlite: Sqlite): boolean {
  const found = sqlite.prepare("select sql from sqlite_master where name = '__drizzle_migrations'").pluck().all();
  return found.length === 1 && normalised(String(found[0])) === MIGRATIONS_TABLE;
}

/** SQLite keeps the text as it was written, and quotes changed parts anew. */
export function normalised(sql: string): string {
  return sql.replaceAll('`', '"').replaceAll(/\s+/g, ' ').trim();
}
