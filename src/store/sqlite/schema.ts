import { fileURLToPath } from 'node:url';
import SqliteDatabase, { type Database as Sqlite } from 'better-sqlite3';
import { readMigrationFiles } from '../sql/orm.ts';
import { adopt, FORMER, hasFormer, inAnyOrder } from './adopt.ts';

export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The number of migrations that a database has and that this program knows. */
export interface SchemaVersions {
  readonly applied: number;
  readonly known: number;
  /** The database has migrations unknown to this program. */
  readonly newer: boolean;
}

/** @throws StoreError for a database with only some of the former migrations */
export function schemaVersions(sqlite: Sqlite, migrationsDir = MIGRATIONS_DIR): SchemaVersions {
  const known = readMigrationFiles({ migrationsFolder: migrationsDir });
  // Today's migrations follow the former ones.
  if (isFormer(sqlite)) return { applied: FORMER.count, known: FORMER.count + known.length, newer: false };
  const has = appliedHashes(sqlite);
  const applied = known.filter((migration) => has.delete(migration.hash)).length;
  return { applied, known: known.length, newer: has.size > 0 };
}

function isFormer(sqlite: Sqlite): boolean {
  return hasFormer(FORMER, appliedHashes(sqlite), sqlite.name);
}

export function adoptFormer(sqlite: Sqlite, migrationsDir: string): void {
  const [first] = readMigrationFiles({ migrationsFolder: migrationsDir });
  if (first !== undefined && isFormer(sqlite)) adopt(sqlite, first);
}

function appliedStatements(sqlite: Sqlite, migrationsDir = MIGRATIONS_DIR): string[] {
  const known = readMigrationFiles({ migrationsFolder: migrationsDir });
  const has = appliedHashes(sqlite);
  const applied = isFormer(sqlite) ? known.slice(0, 1) : known.filter(({ hash }) => has.has(hash));
  return applied.flatMap(({ sql }) => sql);
}

const MIGRATIONS_TABLE =
  'CREATE TABLE "__drizzle_migrations" ( id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric )';

function appliedHashes(sqlite: Sqlite): Set<string> {
  if (!hasMigrationsTable(sqlite)) return new Set();
  return new Set(sqlite.prepare('select hash from __drizzle_migrations').pluck().all() as string[]);
}

/** A view in place of the migrator's table would run foreign statements. */
function hasMigrationsTable(sqlite: Sqlite): boolean {
  const found = sqlite.prepare("select sql from sqlite_master where name = '__drizzle_migrations'").pluck().all();
  return found.length === 1 && normalised(String(found[0])) === MIGRATIONS_TABLE;
}

/** SQLite stores a statement as written, and quotes changed parts again. */
function normalised(sql: string): string {
  return sql.replaceAll('`', '"').replaceAll(/\s+/g, ' ').trim();
}

const REFUSED_WHEN = {
  update: '',
  delete: '',
  // Replacing a row deletes the old one, and SQLite runs no trigger for that.
  insert: 'when new.id <= (select coalesce(max(id), 0) from audit)',
} as const;

/** Triggers refuse a change or removal of a record. */
export function protectAudit(sqlite: Sqlite): void {
  for (const [verb, when] of Object.entries(REFUSED_WHEN)) {
    sqlite.exec(
      `create trigger if not exists audit_refuses_${verb} before ${verb} on audit ${when} ` +
        "begin select raise(abort, 'the audit log is only ever added to'); end",
    );
  }
}

/** Tables that Litestream adds to a database that it copies. We never read them. */
const LITESTREAM: Readonly<Record<string, string>> = {
  _litestream_seq: 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)',
  _litestream_lock: 'CREATE TABLE _litestream_lock (id INTEGER)',
};

const isOfLitestream = ({ name, sql }: SchemaObject): boolean =>
  Object.hasOwn(LITESTREAM, name) && LITESTREAM[name] === sql;

/** A table, index, trigger or view that differs from that of the database's migrations. */
export interface SchemaDifference {
  readonly type: string;
  readonly name: string;
  readonly how: 'missing' | 'extra' | 'different';
  /** `table orders lacks its column raw` */
  readonly text: string;
}

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

const NAMED = 5;

/** Compares the database with an empty one that has the same migrations, in a few milliseconds. */
export function schemaDifferences(sqlite: Sqlite, migrationsDir?: string): SchemaDifference[] {
  // Migrations and schema are read at one instant, because another process may be migrating.
  return sqlite.transaction(() => {
    const model = modelOf(appliedStatements(sqlite, migrationsDir));
    try {
      if (hasMigrationsTable(sqlite)) model.exec(MIGRATIONS_TABLE);
      return compare(sqlite, model, isFormer(sqlite) ? inAnyOrder : (sql) => sql);
    } finally {
      model.close();
    }
  })();
}

/** The differences that remain after the next start, which restores missing triggers. */
export function lastingDifferences(sqlite: Sqlite, migrationsDir?: string): SchemaDifference[] {
  return schemaDifferences(sqlite, migrationsDir).filter((difference) => !isMissingTrigger(difference));
}

export function isMissingTrigger({ type, how }: SchemaDifference): boolean {
  return type === 'trigger' && how === 'missing';
}

export function differencesText(differences: readonly SchemaDifference[]): string {
  const more = differences.length > NAMED ? ` and ${differences.length - NAMED} more` : '';
  const named = differences.slice(0, NAMED).map(({ text }) => text);
  return `${named.join(', ')}${more}`;
}

export function differencesMend(differences: readonly SchemaDifference[]): string {
  if (differences.every(({ how }) => how === 'extra')) {
    return `take away what was added to it (${differences.map(({ type, name }) => `drop ${type} ${name}`).join('; ')})`;
  }
  return 'put a backup in its place with "stockbridge restore", or move it away and run "stockbridge rebuild"';
}

function modelOf(statements: readonly string[]): Sqlite {
  const model = new SqliteDatabase(':memory:');
  for (const statement of statements) model.exec(statement);
  if (objectsOf(model).has('table audit')) protectAudit(model);
  return model;
}

/** @param comparable the part of a statement to compare */
function compare(sqlite: Sqlite, model: Sqlite, comparable: (sql: string) => string): SchemaDifference[] {
  const expected = objectsOf(model);
  const found = objectsOf(sqlite);
  const differ = ({ type, name }: SchemaObject, how: SchemaDifference['how'], why: string): SchemaDifference => ({
    type,
    name,
    how,
    text: `${type} ${name} ${why}`,
  });
  const lacking = [...expected].flatMap(([key, wanted]) => {
    const has = found.get(key);
    if (has === undefined) return [differ(wanted, 'missing', 'is missing')];
    if (has.table === wanted.table && comparable(has.sql) === comparable(wanted.sql)) return [];
    return [differ(wanted, 'different', columnsText(sqlite, model, wanted))];
  });
  const added = [...found].flatMap(([key, has]) =>
    expected.has(key) || isOfLitestream(has) ? [] : [differ(has, 'extra', 'was added')],
  );
  return [...lacking, ...added];
}

/**
 * All objects by type and name, including those of SQLite and the migrator. SQLite refuses a schema whose type or name
 * differs from its statement.
 */
function objectsOf(sqlite: Sqlite): Map<string, SchemaObject> {
  const rows = sqlite
    .prepare(`select type, name, tbl_name as "table", coalesce(sql, '') as sql from sqlite_master`)
    .all() as SchemaObject[];
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, { ...row, sql: normalised(row.sql) }]));
}

function columnsText(sqlite: Sqlite, model: Sqlite, { type, name }: SchemaObject): string {
  const columns = (of: Sqlite) =>
    new Set(of.prepare('select name from pragma_table_info(?)').pluck().all(name) as string[]);
  const [wanted, has] = type === 'table' ? [columns(model), columns(sqlite)] : [new Set<string>(), new Set<string>()];
  const lacks = [...wanted.difference(has)].map((column) => `lacks its column ${column}`);
  const added = [...has.difference(wanted)].map((column) => `has a column ${column} that was added`);
  return [...lacks, ...added].join(' and ') || 'is not as it was made';
}
