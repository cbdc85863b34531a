import { and, eq, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Queryable, Readable } from './database.ts';

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
    const found = db.select().from(table as SQLiteTable);
    return found.where(and(...names.map((name) => eq(columns[name], sql.placeholder(name))))).prepare();
  });
  return (db, of) => query(db).get(of) as Row<Table> | undefined;
}
