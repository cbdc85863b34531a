import type { SQLiteColumn, SQLiteInsertValue, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Queryable, Readable } from './database.ts';
import { and, eq, getTableColumns, sql } from './orm.ts';

/**
 * Builds a query once for each database instead of at every call: building costs more than running. Its values are
 * `sql.placeholder(name)`, which go to SQLite as they are: texts, numbers and null.
 */
export function built<Query>(build: (db: Queryable) => Query): (db: Readable) => Query {
  const known = new WeakMap<Readable, Query>();
  return (db) => {
    const query = known.get(db) ?? build(db as Queryable);
    known.set(db, query);
    return query;
  };
}

type Row<Table extends SQLiteTable> = Table['$inferSelect'];

/** Finds the row of a table by these columns, a key of it. */
export function rowBy<Table extends SQLiteTable, Name extends keyof Row<Table> & string>(
  table: Table,
  ...names: readonly Name[]
): (db: Readable, of: Readonly<Pick<Row<Table>, Name>>) => Row<Table> | undefined {
  const columns = table as unknown as Readonly<Record<Name, SQLiteColumn>>;
  const query = built((db) => {
    const found = db.select().from<SQLiteTable>(table);
    return found.where(and(...names.map((name) => eq(columns[name], sql.placeholder(name))))).prepare();
  });
  return (db, of) => query(db).get(of);
}

type Columns = Record<string, SQLiteColumn>;

/** Inserts whole rows; an id that SQLite counts up is left to it. */
export function insertInto<Table extends SQLiteTable>(
  table: Table,
): (tx: Queryable, row: Omit<Row<Table>, 'id'> & Partial<Row<Table>>) => void {
  const columns = getTableColumns(table as SQLiteTable) as Columns;
  const insert = built((db) =>
    db
      .insert(table)
      .values(placeholders(columns) as SQLiteInsertValue<Table>)
      .prepare(),
  );
  return (tx, row) => insert(tx).run({ id: null, ...row });
}

/** Writes whole rows, each in the place of the one with the same `key`. */
export function putInto<Table extends SQLiteTable, Name extends keyof Row<Table> & string>(
  table: Table,
  ...key: readonly Name[]
): (tx: Queryable, row: Row<Table>) => void {
  const columns = getTableColumns(table as SQLiteTable) as Columns;
  const target = key.map((name) => columns[name]).filter((column) => column !== undefined);
  const rest = Object.entries(columns).filter(([name]) => !key.includes(name as Name));
  const set = Object.fromEntries(rest.map(([name, column]) => [name, sql`excluded.${sql.identifier(column.name)}`]));
  const put = built((db) =>
    db
      .insert(table as SQLiteTable)
      .values(placeholders(columns))
      .onConflictDoUpdate({ target, set })
      .prepare(),
  );
  return (tx, row) => put(tx).run(row);
}

function placeholders(columns: Columns) {
  return Object.fromEntries(Object.keys(columns).map((name) => [name, sql.placeholder(name)]));
}
