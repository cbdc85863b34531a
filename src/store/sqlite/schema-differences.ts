import SqliteDatabase, { type Database as Sqlite } from 'better-sqlite3';
import { protectAudit } from './audit-guard.ts';
import { appliedStatements, hasMigrationsTable, MIGRATIONS_TABLE, normalised } from './schema-versions.ts';

/** A table, index, trigger or view that differs from the one that the migrations of a database make. */
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

/** Compares the database with an empty one to which the same migrations were applied. Takes some milliseconds. */
export function schemaDifferences(sqlite: Sqlite, migrationsDir?: string): SchemaDifference[] {
  // The applied migrations and the schema are read at one instant, because another process may be migrating.
  return sqlite.transaction(() => {
    const model = modelOf(appliedStatements(sqlite, migrationsDir));
    try {
      if (hasMigrationsTable(sqlite)) model.exec(MIGRATIONS_TABLE);
      return compare(sqlite, model);
    } finally {
      model.close();
    }
  })();
}

/** The differences that stay after the next start. A start puts missing triggers back. */
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

/** The remedy for a database with these differences. */
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

function compare(sqlite: Sqlite, model: Sqlite): SchemaDifference[] {
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
    if (has.table === wanted.table && has.sql === wanted.sql) return [];
    return [differ(wanted, 'different', columnsText(sqlite, model, wanted))];
  });
  const added = [...found].flatMap(([key, has]) => (expected.has(key) ? [] : [differ(has, 'extra', 'was added')]));
  return [...lacking, ...added];
}

/**
 * All objects by type and name, also the objects that SQLite and the migrator make for themselves. SQLite refuses a schema when
 * a type or a name differs from the statement beside it.
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
