import Database from 'better-sqlite3';

const MAX_STATEMENTS = 500;

/** A side's own SQLite: a file that outlives it, or ':memory:'. Rows are objects by column. */
export function openSql(file: string, schema: string) {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -65536');
  db.exec(schema);
  const statement = keptStatements(db);
  const inTransaction = db.transaction((work: () => unknown) => work());
  const insertion = (table: string, columns: readonly string[]) =>
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return {
    get: <Row>(text: string, ...values: readonly unknown[]) => statement(text).get(...values) as Row | undefined,
    all: <Row>(text: string, ...values: readonly unknown[]) => statement(text).all(...values) as Row[],
    run: (text: string, ...values: readonly unknown[]): void => void statement(text).run(...values),
    /** Returns the row's number. */
    insert(table: string, row: object): number {
      return Number(statement(insertion(table, Object.keys(row))).run(...valuesOf(row)).lastInsertRowid);
    },
    /** Inserts, or updates the row with its key. */
    put(table: string, row: object): void {
      const columns = Object.keys(row);
      const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ');
      statement(`${insertion(table, columns)} ON CONFLICT DO UPDATE SET ${changes}`).run(...valuesOf(row));
    },
    /** Updates the row with the same value in column `key`. */
    update(table: string, key: string, row: object): void {
      const changes = Object.keys(row).map((column) => `${column} = ?`);
      const value = (row as Readonly<Record<string, unknown>>)[key];
      statement(`UPDATE ${table} SET ${changes.join(', ')} WHERE ${key} = ?`).run(...valuesOf(row), value);
    },
    /** May be nested. */
    transaction: <Result>(work: () => Result) => inTransaction.immediate(work) as Result,
    close: () => void db.close(),
  };
}

export type Sql = ReturnType<typeof openSql>;

function valuesOf(row: object): unknown[] {
  return Object.values(row);
}

/** Compiles each statement once. A plan that depends on bound values would be compiled at each run. */
function keptStatements(db: Database.Database): (text: string) => Database.Statement<unknown[]> {
  const kept = new Map<string, Database.Statement<unknown[]>>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (kept.size >= MAX_STATEMENTS) kept.clear();
    const statement = db.prepare<unknown[]>(text.replaceAll('?', '+?'));
    kept.set(text, statement);
    return statement;
  };
}
