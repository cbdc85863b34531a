import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { databasePath } from '../../src/store/sqlite/database.ts';
import { MIGRATIONS } from '../support/migrations.ts';

/* Databases with all migrations that there were before they became one, with rows in every table. */

/** The last id that every counter of the fixtures gave. Its row was deleted. The audit log alone keeps all rows. */
export const LAST_GIVEN = 20;

/** The number of today's migrations. */
export const TODAY = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql')).length;

const fixture = (engine: string) => readFileSync(join(import.meta.dirname, `fixtures/former-${engine}.sql`), 'utf8');

/** The statements that make such a database on PostgreSQL. */
export const FORMER_POSTGRES = fixture('postgres');

/** Makes such a database on SQLite in a folder. @returns its path */
export function makeFormer(dir: string): string {
  const path = databasePath(dir);
  const sqlite = new SqliteDatabase(path);
  sqlite.exec(fixture('sqlite'));
  sqlite.close();
  return path;
}
