import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS_DIR, type SchemaVersions } from '../sqlite/schema.ts';
import { NewerVersionError, StoreError } from '../store-error.ts';
import { adopt, formerOf, isMadeAnew, OWN_MIGRATIONS } from './adopt.ts';
import type { Connection } from './connection.ts';
import type { Migrated } from './messages.ts';
import { FOUND, type Snapshot, tablesText } from './schema.ts';

const OLDER =
  'the database in PostgreSQL is of an older version: stop the daemons of that version, then run "stockbridge migrate"';
/** A fact without an account. */
const NAMED =
  "insert into facts values ('', 'installation', gen_random_uuid()::text, 0) on conflict (account, name) do nothing";
const NAME = "select value from facts where account = '' and name = 'installation'";

const MIGRATING = 0x5b5b;

interface Migration {
  readonly name: string;
  readonly hash: string;
  readonly statements: readonly string[];
}

/**
 * Migrates in one transaction. If several programs start together, one of them does it.
 * @param mayUpgrade also a database that is not empty
 * @throws StoreError when the database is newer, is older and may not be upgraded, or has other tables than its
 * migrations
 */
export function migrate(connection: Connection, mayUpgrade: boolean, dir: string = MIGRATIONS_DIR): Migrated {
  const known = migrationsIn(dir);
  if (connection.query('select current_schema()').rows[0]?.[0] === null) {
    throw new StoreError('the search_path of the user names no schema of the database: create one, or name another');
  }
  connection.query('begin');
  try {
    connection.query('select pg_advisory_xact_lock($1)', [MIGRATING]);
    connection.query(
      'create table if not exists stockbridge_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    const [first] = known;
    const isAdopted = first !== undefined && formerOf(connection) !== null;
    if (isAdopted) adopt(connection, first);
    const applied = appliedTo(connection, known);
    if (applied > 0) refuseOtherTables(connection, dir, known, applied);
    const count = known.length - applied + Number(isAdopted);
    if (applied > 0 && count > 0 && !mayUpgrade) throw new StoreError(OLDER);
    for (const { name, hash, statements } of known.slice(applied)) {
      for (const statement of statements) connection.query(statement);
      connection.query('insert into stockbridge_migrations (name, hash) values ($1, $2)', [name, hash]);
    }
    connection.query(NAMED);
    const [[installation] = []] = connection.query(NAME).rows;
    connection.query('commit');
    return { count, isNew: applied === 0, installation: String(installation) };
  } catch (error) {
    connection.ahead('rollback');
    throw error;
  }
}

/** Reads the versions without a change. null: nothing was ever stored. */
export function versionsOf(connection: Connection, dir: string = MIGRATIONS_DIR): SchemaVersions | null {
  const [[there] = [null]] = connection.query("select to_regclass('stockbridge_migrations')::text").rows;
  if (there === null) return null;
  const known = migrationsIn(dir);
  const former = formerOf(connection);
  if (former !== null) {
    refuseOtherTables(connection, dir, known, 1, isMadeAnew);
    return { applied: former.count, known: former.count + known.length, newer: false };
  }
  const applied = appliedTo(connection, known);
  refuseOtherTables(connection, dir, known, applied);
  return { applied, known: known.length, newer: false };
}

export function migrationsIn(dir: string): Migration[] {
  const folder = join(dir, 'postgres');
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const hash = createHash('sha256').update(text).digest('hex');
    return { name: file.slice(0, -'.sql'.length), hash, statements: text.split('--> statement-breakpoint') };
  });
}

function appliedTo(connection: Connection, known: readonly Migration[]): number {
  const { rows } = connection.query(`select name, hash ${OWN_MIGRATIONS} order by name collate "C"`);
  const differs = rows.findIndex(([name, hash], index) => known[index]?.name !== name || known[index]?.hash !== hash);
  if (differs === -1) return rows.length;
  throw newerPostgres();
}

export const MIGRATIONS_APPLIED = `(select count(*) ${OWN_MIGRATIONS})`;

export function newerPostgres(): NewerVersionError {
  return new NewerVersionError('the database in PostgreSQL', '.');
}

/** @param isIgnored objects that are not compared */
function refuseOtherTables(
  connection: Connection,
  dir: string,
  known: readonly Migration[],
  applied: number,
  isIgnored: (text: string) => boolean = () => false,
): void {
  const name = known[applied - 1]?.name;
  if (name === undefined) return;
  const statements = known.slice(0, applied).flatMap((migration) => migration.statements);
  const compared = (texts: readonly string[]) => new Set(texts.filter((text) => !isIgnored(text)));
  const expected = compared([...tablesText(snapshotAfter(dir, name)), ...madeBy(statements)]);
  const found = compared(connection.query(FOUND).rows.map(([text]) => String(text)));
  const differences = [
    ...[...expected.difference(found)].map((text) => `${text} is missing or is not as it was made`),
    ...[...found.difference(expected)].map((text) => `${text} was added or changed`),
  ];
  if (differences.length === 0) return;
  throw new StoreError(
    `the database in PostgreSQL does not have the schema that the program works with: ${differences.slice(0, 5).join(', ')}. To mend it, restore a backup with pg_restore`,
  );
}

export function snapshotAfter(dir: string, migration: string): Snapshot {
  const file = join(dir, 'meta', `${migration.slice(0, 4)}_snapshot.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Snapshot;
}

/** The functions and triggers that the migrations made, in the form of `FOUND`. */
function madeBy(statements: readonly string[]): string[] {
  let made: string[] = [];
  for (const statement of statements) {
    const dropped = /^drop function (\w+)/m.exec(statement)?.[1];
    if (dropped !== undefined) made = made.filter((text) => !text.startsWith(`function ${dropped} `));
    made.push(...functionOf(statement), ...triggerOf(statement));
  }
  return made;
}

/** With a digest of its body. */
function functionOf(statement: string): string[] {
  const [, name, body] = /^create function (\w+)\(.*?\$\$(.*)\$\$/ms.exec(statement) ?? [];
  if (name === undefined || body === undefined) return [];
  return [`function ${name} ${createHash('md5').update(body).digest('hex')}`];
}

function triggerOf(statement: string): string[] {
  const [text, name, table] = /^CREATE TRIGGER (\w+) .* ON (\w+) .*\)/m.exec(statement) ?? [];
  return text === undefined ? [] : [`trigger ${name} on ${table}: ${text}`];
}
