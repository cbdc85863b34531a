import Database from 'better-sqlite3';

const MAX_STATEMENTS = 500;

/**
 * A side's own SQLite: a file that outlives it, or ':memory:'. It takes queries in SQL, and rows: objects with a value for each
 * column that they name.
 */
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
    /** Answers the number that the row got. */
    insert(table: string, row: object): number {
      return Number(statement(insertion(table, Object.keys(row))).run(...valuesOf(row)).lastInsertRowid);
    },
    /** Adds a row, or changes the one that has its key. */
    put(table: string, row: object): void {
      const columns = Object.keys(row);
      const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ');
      statement(`${insertion(table, columns)} ON CONFLICT DO UPDATE SET ${changes}`).run(...valuesOf(row));
    },
    /** Changes the row that has the same value in the column `key`. */
    update(table: string, key: string, row: object): void {
      const changes = Object.keys(row).map((column) => `${column} = ?`);
      const value = (row as Readonly<Record<string, unknown>>)[key];
      statement(`UPDATE ${table} SET ${changes.join(', ')} WHERE ${key} = ?`).run(...valuesOf(row), value);
    },
    /** Runs work in one transaction; may be nested. */
    transaction: <Result>(work: () => Result) => inTransaction.immediate(work) as Result,
    close: () => void db.close(),
  };
}

export type Sql = ReturnType<typeof openSql>;

function valuesOf(row: object): unknown[] {
  return Object.values(row);
}

/** Every statement is compiled once. A plan that depends on bound values would make SQLite compile it again at every run. */
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
