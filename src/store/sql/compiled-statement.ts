import type { RunResult, Database as Sqlite } from 'better-sqlite3';
import type { GetColumnData, SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Readable } from './database.ts';
import { getTableColumns, is, Param, Placeholder, sql } from './orm.ts';
import { cachedInSnapshot } from './snapshot-cache.ts';

/*
 * drizzle builds these statements, and SQLite's driver runs them: drizzle inspects each column of each row again, which
 * costs more than finding the row.
 */

type Values = Readonly<Record<string, unknown>>;

export interface CompiledStatement<Row extends object> {
  get(of: object): Readonly<Row> | undefined;
  all(of: object): readonly Readonly<Row>[];
  run(of: object): RunResult;
}

/**
 * @param query a query whose placeholders are the keys of the objects with which it is run
 * @param read parses a row
 */
export function compiled<Row extends object = object>(
  db: Readable,
  query: { toSQL(): { sql: string; params: unknown[] } },
  read: (row: object) => Row = (row) => row as Row,
): CompiledStatement<Row> {
  const { sql: text, params } = query.toSQL();
  const connection = (db as { readonly $client?: Sqlite }).$client;
  if (connection === undefined) throw new Error('this is no connection');
  const statement = connection.prepare<unknown[], object>(text);
  const fills = params.map(fillOf);
  const valuesOf = (of: object) => fills.map((fill) => fill(of as Values) as string | number | null);
  const one = cachedInSnapshot(connection, (values) => {
    const row = statement.get(...values);
    return row === undefined ? undefined : read(row);
  });
  const all = cachedInSnapshot(connection, (values) => statement.all(...values).map(read));
  return {
    get: (of) => one(valuesOf(of)),
    all: (of) => all(valuesOf(of)),
    run: (of) => statement.run(...valuesOf(of)),
  };
}

function fillOf(param: unknown): (of: Values) => unknown {
  if (is(param, Placeholder)) return (of) => of[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder } = param;
  const { name } = param.value;
  return (of) => encoder.mapToDriverValue(of[name]);
}

export type Columns = Readonly<Record<string, SQLiteColumn>>;
type RowOf<Named extends Columns> = { [Name in keyof Named]: GetColumnData<Named[Name]> };

export function namedRow<Named extends Columns>(named: Named) {
  const columns = Object.entries(named);
  const fields: Record<string, SQL.Aliased> = {};
  for (const [name, column] of columns) fields[name] = sql`${column}`.as(name);
  const coded = columns.filter(([, { dataType }]) => dataType !== 'string' && dataType !== 'number');
  const read = (row: object): RowOf<Named> => {
    const decoded = row as Record<string, unknown>;
    for (const [name, column] of coded) {
      if (decoded[name] !== null) decoded[name] = column.mapFromDriverValue(decoded[name]);
    }
    return decoded as RowOf<Named>;
  };
  return { fields, read };
}

export function wholeRow<Table extends SQLiteTable>(table: Table) {
  return namedRow(getTableColumns(table as SQLiteTable) as Columns) as {
    readonly fields: Record<string, SQL.Aliased>;
    readonly read: (row: object) => Table['$inferSelect'];
  };
}
