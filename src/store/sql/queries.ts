import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteInsertValue, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core';
import { type Columns, type CompiledStatement, compiled, namedRow, wholeRow } from './compiled-statement.ts';
import type { Queryable, Readable } from './database.ts';
import { and, asc, desc, eq, getTableColumns, gt, inArray, sql } from './orm.ts';
import type { ReadAt } from './part.ts';

/**
 * Builds a query once per database, because building costs more than running. Values are `sql.placeholder(name)` and
 * reach SQLite unchanged: text, number or null.
 */
export function built<Query>(build: (db: Queryable) => Query): (db: Readable) => Query {
  const cache = new WeakMap<Readable, Query>();
  return (db) => {
    const query = cache.get(db) ?? build(db as Queryable);
    cache.set(db, query);
    return query;
  };
}

interface Buildable {
  toSQL(): { sql: string; params: unknown[] };
}

/** Builds a writing statement once per database. The driver runs it without drizzle. */
export function prepared(build: (db: Queryable) => Buildable): (db: Readable) => CompiledStatement<object> {
  return built((db) => compiled(db, build(db)));
}

/** Builds a query of these columns once per database. `build` gets the columns by name. */
export function selecting<Named extends Columns>(
  named: Named,
  build: (db: Queryable, fields: Record<string, SQL.Aliased>) => Buildable,
) {
  const { fields, read } = namedRow(named);
  return built((db) => compiled(db, build(db, fields), read));
}

type Row<Table extends SQLiteTable> = Table['$inferSelect'];
type NameOf<Table extends SQLiteTable> = keyof Row<Table> & string;

/** These columns equal the placeholders of the same names. */
export function matching<Table extends SQLiteTable>(table: Table, ...names: readonly NameOf<Table>[]): SQL | undefined {
  const columns = getTableColumns(table as SQLiteTable) as Columns;
  const is = (name: string, column = columns[name] as SQLiteColumn) =>
    eq(column, sql.param(sql.placeholder(name), column));
  return and(...names.map((name) => is(name)));
}

/** Finds a table's row by these columns, which must be a key. */
export function rowBy<Table extends SQLiteTable, Name extends NameOf<Table>>(
  table: Table,
  ...names: readonly Name[]
): (db: Readable, of: Readonly<Pick<Row<Table>, Name>>) => Readonly<Row<Table>> | undefined {
  const { fields, read } = wholeRow(table);
  const query = built((db) =>
    compiled(
      db,
      db
        .select(fields)
        .from<SQLiteTable>(table)
        .where(matching(table, ...names)),
      read,
    ),
  );
  return (db, of) => query(db).get(of);
}

/** The column, for which SQLite then uses no index. PostgreSQL reads the column alone, and chooses by its statistics. */
export function unindexed(column: SQLiteColumn): SQL {
  return sql`case when true then ${column} end`;
}

/** The text as `lower` of a column is, on both engines: A to Z alone. `lower` of a value knows PostgreSQL's locale. */
export function folded(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * The whole number in a text; null: it is none. PostgreSQL casts rows that a condition leaves out, and refuses other
 * texts.
 */
export function wholeNumber(text: SQL | SQLiteColumn): SQL<number | null> {
  return sql`case when length(${text}) between 1 and 18 and rtrim(${text}, '0123456789') = '' then cast(${text} as bigint) end`;
}

/** The key of `on conflict`, without the table's name, which PostgreSQL refuses there. */
export function conflictKey(...columns: readonly SQLiteColumn[]): SQLiteColumn[] {
  // drizzle writes down any expression, and declares columns only.
  return columns.map((column) => sql.identifier(column.name)) as unknown as SQLiteColumn[];
}

interface Listed {
  readonly order?: readonly (SQL | SQLiteColumn)[];
  readonly limit?: number;
}

/** Finds a table's rows by these columns, in this order. */
export function rowsBy<Table extends SQLiteTable, Name extends NameOf<Table>>(
  table: Table,
  names: readonly Name[],
  { order = [], limit }: Listed = {},
): (db: Readable, of: Readonly<Pick<Row<Table>, Name>>) => readonly Readonly<Row<Table>>[] {
  const { fields, read } = wholeRow(table);
  const query = built((db) => {
    const found = db.select(fields).from<SQLiteTable>(table);
    const ordered = found.where(matching(table, ...names)).orderBy(...order);
    return compiled(db, limit === undefined ? ordered : ordered.limit(limit), read);
  });
  return (db, of) => query(db).all(of);
}

/**
 * Runs a statement for many keys, one part at a time.
 * @param build makes the statement for rows with these columns, and one of the keys in another column
 */
function among<Table extends SQLiteTable, Key extends NameOf<Table>>(
  table: Table,
  names: readonly NameOf<Table>[],
  key: Key,
  build: (db: Queryable, where: SQL | undefined) => Buildable,
  read?: (row: object) => Row<Table>,
) {
  const column = getTableColumns(table as SQLiteTable)[key] as SQLiteColumn;
  // Three sizes of statement are cached. The last key fills unused placeholders.
  const ofSize = (size: number) => {
    const places = Array.from({ length: size }, (_, place) => `key${place}`);
    const given = places.map((name) => sql.param(sql.placeholder(name), column));
    const where = and(matching(table, ...names), inArray(column, given));
    const query = built((db) => compiled(db, build(db, where), read));
    return { size, places, query };
  };
  const [few, many, most] = [ofSize(8), ofSize(64), ofSize(512)];
  return function* (db: Readable, of: object, keys: Iterable<Row<Table>[Key]>) {
    const pending = [...new Set(keys)];
    while (pending.length > 0) {
      const { size, places, query } = [few, many].find((one) => one.size >= pending.length) ?? most;
      const some = pending.splice(0, size);
      const named = Object.fromEntries<unknown>(places.map((name, place) => [name, some[place] ?? some.at(-1)]));
      yield { statement: query(db), values: { ...of, ...named } };
    }
  };
}

export function rowsAmong<Table extends SQLiteTable, Name extends NameOf<Table>, Key extends NameOf<Table>>(
  table: Table,
  names: readonly Name[],
  key: Key,
): (db: Readable, of: Readonly<Pick<Row<Table>, Name>>, keys: Iterable<Row<Table>[Key]>) => Row<Table>[] {
  const { fields, read } = wholeRow(table);
  const build = (db: Queryable, where: SQL | undefined) => db.select(fields).from<SQLiteTable>(table).where(where);
  const parts = among(table, names, key, build, read);
  return (db, of, keys) => [...parts(db, of, keys)].flatMap(({ statement, values }) => statement.all(values));
}

export function changeAmong<
  Table extends SQLiteTable,
  Name extends NameOf<Table>,
  Key extends NameOf<Table>,
  Changed extends NameOf<Table>,
>(
  table: Table,
  names: readonly Name[],
  key: Key,
  changed: readonly Changed[],
): (tx: Queryable, row: Readonly<Pick<Row<Table>, Name | Changed>>, keys: Iterable<Row<Table>[Key]>) => void {
  const parts = among(table, names, key, (db, where) =>
    db
      .update(table as SQLiteTable)
      .set(placeholders(changed))
      .where(where),
  );
  return (tx, row, keys) => {
    for (const { statement, values } of parts(tx, row, keys)) statement.run(values);
  };
}

type OfAccounts<Name extends string> = SQLiteTable & Readonly<Record<'account' | Name, SQLiteColumn>>;

/** Finds an account's keys after `after`, sorted, at most `limit`. */
export function keysAfter<Name extends string, Table extends OfAccounts<Name>>(
  table: Table,
  name: Name,
): (at: ReadAt, account: string, after: Row<Table>[Name], limit: number) => Row<Table>[Name][] {
  const key = table[name];
  const where = and(eq(table.account, sql.placeholder('account')), gt(key, sql.placeholder('after')));
  const query = built((db) =>
    db
      .select({ key })
      .from<SQLiteTable>(table)
      .where(where)
      .orderBy(asc(key))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  return ({ db }, account, after, limit) =>
    query(db)
      .all({ account, after, limit })
      .map((row) => row.key as Row<Table>[Name]);
}

/** Finds `modified` of an account's n-th newest row, as sent. */
export function nthNewestModified(
  table: OfAccounts<'modified'>,
): (at: ReadAt, account: string, n: number) => string | null {
  const { account, modified } = table;
  const query = built((db) =>
    db
      .select({ modified })
      .from<SQLiteTable>(table)
      .where(eq(account, sql.placeholder('account')))
      .orderBy(desc(modified))
      .limit(1)
      .offset(sql.placeholder('offset'))
      .prepare(),
  );
  return ({ db }, of, n) =>
    (query(db).get({ account: of, offset: n - 1 })?.modified as string | null | undefined) ?? null;
}

/** Finds rows by a condition. Builds the statement at every call, so only for rare questions. */
export function rowsWhere<Table extends SQLiteTable>(
  db: Readable,
  table: Table,
  where: SQL | undefined,
  { order = [], limit }: Listed = {},
): Row<Table>[] {
  const found = db.select().from<SQLiteTable>(table).where(where);
  const ordered = found.orderBy(...order);
  return limit === undefined ? ordered.all() : ordered.limit(limit).all();
}

export function countOf(db: Readable, table: SQLiteTable, where: SQL | undefined): number {
  const counted = db.select({ count: sql<number>`count(*)` }).from(table).where(where);
  return counted.get()?.count ?? 0;
}

/** Counts rows for each combination of these columns' values. */
export function countsBy<Named extends Columns>(db: Readable, table: SQLiteTable, named: Named, where?: SQL) {
  const counted = db.select({ ...named, count: sql<number>`count(*)` }).from(table);
  return counted
    .where(where)
    .groupBy(...Object.values(named))
    .all();
}

/** Inserts whole rows. */
export function insertInto<Table extends SQLiteTable>(table: Table): (tx: Queryable, row: Row<Table>) => void {
  const insert = built((db) => compiled(db, db.insert(table).values(placeholdersOf(table))));
  return (tx, row) => void insert(tx).run(row);
}

/** Inserts whole rows without their id, which is generated and returned. */
export function insertCounted<Table extends SQLiteTable & { readonly id: SQLiteColumn }>(
  table: Table,
): (tx: Queryable, row: Omit<Row<Table>, 'id'>) => number {
  const insert = built((db) => {
    const inserted = db.insert(table).values(placeholdersOf(table));
    return compiled<{ readonly id: number }>(db, inserted.returning({ id: table.id }));
  });
  return (tx, row) => insert(tx).get({ ...row, id: null })?.id ?? 0;
}

function placeholdersOf<Table extends SQLiteTable>(table: Table): SQLiteInsertValue<Table> {
  return placeholders(Object.keys(getTableColumns(table as SQLiteTable))) as SQLiteInsertValue<Table>;
}

/** Inserts or replaces whole rows by `key`. */
export function putInto<Table extends SQLiteTable, Name extends NameOf<Table>>(
  table: Table,
  ...key: readonly Name[]
): (tx: Queryable, row: Row<Table>) => void {
  const columns = getTableColumns(table as SQLiteTable) as Columns;
  const target = conflictKey(...key.flatMap((name) => columns[name] ?? []));
  const rest = Object.entries(columns).filter(([name]) => !key.includes(name as Name));
  const set = Object.fromEntries(rest.map(([name, column]) => [name, sql`excluded.${sql.identifier(column.name)}`]));
  const put = built((db) => {
    const inserted = db.insert(table as SQLiteTable).values(placeholders(Object.keys(columns)));
    return compiled(db, inserted.onConflictDoUpdate({ target, set }));
  });
  return (tx, row) => void put(tx).run(row);
}

/** Returns the number of rows. */
export function changeBy<Table extends SQLiteTable, Name extends NameOf<Table>, Changed extends NameOf<Table>>(
  table: Table,
  names: readonly Name[],
  changed: readonly Changed[],
): (tx: Queryable, row: Readonly<Pick<Row<Table>, Name | Changed>>) => number {
  const change = built((db) => {
    const set = db.update(table as SQLiteTable).set(placeholders(changed));
    return compiled(db, set.where(matching(table, ...names)));
  });
  return (tx, row) => change(tx).run(row).changes;
}

/** Returns the number of rows. */
export function deleteBy<Table extends SQLiteTable, Name extends NameOf<Table>>(
  table: Table,
  ...names: readonly Name[]
): (tx: Queryable, of: Readonly<Pick<Row<Table>, Name>>) => number {
  const remove = built((db) => compiled(db, db.delete(table as SQLiteTable).where(matching(table, ...names))));
  return (tx, of) => remove(tx).run(of).changes;
}

/** Returns the number of rows. For rare statements, like `rowsWhere`. */
export function updateWhere<Table extends SQLiteTable>(
  tx: Queryable,
  table: Table,
  set: SQLiteUpdateSetSource<Table>,
  where: SQL | undefined,
): number {
  return tx.update(table).set(set).where(where).run().changes;
}

/** Returns the number of rows. For rare statements, like `rowsWhere`. */
export function deleteWhere(tx: Queryable, table: SQLiteTable, where: SQL | undefined): number {
  return tx.delete(table).where(where).run().changes;
}

const ROWS_AT_ONCE = 500;

export function inParts<Item>(all: readonly Item[]): Item[][] {
  const parts = Math.ceil(all.length / ROWS_AT_ONCE);
  return Array.from({ length: parts }, (_, part) => all.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE));
}

function placeholders(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
}
