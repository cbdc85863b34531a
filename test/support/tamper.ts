import { setImmediate as nextTurn } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { databasePath } from '../../src/store/sqlite/database.ts';

/** Changes the database of a data folder from outside, even while a daemon works on it. */
export function withDatabase<Result>(dataDir: string, work: (sqlite: SqliteDatabase.Database) => Result): Result {
  const sqlite = new SqliteDatabase(databasePath(dataDir), { fileMustExist: true, timeout: 10_000 });
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}

/**
 * Changes rows in ways that the store does not offer: passed time, or changes by hand. Settles in the next turn of the loop, as another
 * program's change is seen only then.
 */
export async function tamper(
  stage: { readonly dir: string },
  statement: string,
  ...values: readonly (string | number)[]
): Promise<void> {
  withDatabase(`${stage.dir}/data`, (sqlite) => sqlite.prepare(statement).run(...values));
  await nextTurn();
}

/** From now on every write fails, as on a full disk. Returns a function that ends this. */
export function refuseWrites(stage: { readonly dir: string }): () => void {
  const change = (statementsOf: (table: string, verb: string) => string) =>
    withDatabase(`${stage.dir}/data`, (sqlite) => {
      const tables = sqlite.prepare(
        "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\' and name not like 'sqlite%'",
      );
      for (const table of tables.pluck().all() as string[]) {
        for (const verb of ['insert', 'update', 'delete']) sqlite.exec(statementsOf(table, verb));
      }
    });
  const refusal = "begin select raise(abort, 'database or disk is full'); end";
  change((table, verb) => `create trigger full_${table}_${verb} before ${verb} on ${table} ${refusal}`);
  return () => change((table, verb) => `drop trigger full_${table}_${verb}`);
}
