import { fileURLToPath } from 'node:url';
import type { Database as Sqlite } from 'better-sqlite3';
import { readMigrationFiles } from '../sql/orm.ts';

export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The number of migrations that a database has, and the number that this program knows. */
export interface SchemaVersions {
  readonly applied: number;
  readonly known: number;
  /** The database has migrations that this program does not know. */
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

/** The statement by which the migrator makes the table of applied migrations. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE "__drizzle_migrations" ( id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric )';

function appliedHashes(sqlite: Sqlite): Set<string> {
  if (!hasMigrationsTable(sqlite)) return new Set();
  return new Set(sqlite.prepare('select hash from __drizzle_migrations').pluck().all() as string[]);
}

/** Is the table exactly the table that the migrator makes? A view in its place would run foreign statements. */
export function hasMigrationsTable(sqlite: Sqlite): boolean {
  const found = sqlite.prepare("select sql from sqlite_master where name = '__drizzle_migrations'").pluck().all();
  return found.length === 1 && normalised(String(found[0])) === MIGRATIONS_TABLE;
}

/** SQLite keeps the text of a statement as it was written, and quotes changed parts anew. */
export function normalised(sql: string): string {
  return sql.replaceAll('`', '"').replaceAll(/\s+/g, ' ').trim();
}
