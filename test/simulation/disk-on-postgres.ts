import type SqliteDatabase from 'better-sqlite3';
import { postgresEngine } from '../../src/store/postgres/commit-engine.ts';
import { type Connection, openConnection } from '../../src/store/postgres/connection.ts';
import { connected } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { statementsOn } from '../../src/store/postgres/statements.ts';
import { sql } from '../../src/store/sql/orm.ts';
import { SHARED } from '../../src/store/sqlite/database.ts';
import { startPostgres } from '../support/databases.ts';
import { type Disk, formatted, keepDisk, tablesOf } from './disk.ts';

/**
 * The stories of this process are on a real PostgreSQL from now on. One connection serves all programs of a story: a story
 * stands still while it waits for an answer, as on SQLite.
 */
export async function playOnPostgres(): Promise<{ close(): Promise<void> }> {
  const server = await startPostgres();
  const connection = openConnection(server.url);
  connection.reconnect();
  migrate(connection, true);
  keepDisk(diskOn(connection));
  return {
    async close() {
      connection.close();
      await server.stop();
    },
  };
}

const OF_ONE_PROCESS = { isAlone: SHARED.isAlone, tryLock: SHARED.tryLock };

function diskOn(connection: Connection): Disk {
  const { db } = connected(connection);
  const statements = statementsOn(connection);
  const sqlite = formatted();
  const tables = tablesOf(sqlite).filter((table) => !table.startsWith('sqlite_'));
  return {
    drizzled: db,
    engine: postgresEngine(connection),
    snapshot: db.snapshot,
    shared: { ...db.shared, ...OF_ONE_PROCESS, clockMs: (nowMs) => sql<number>`${nowMs}::bigint` },
    connections: [],
    prepare: <Values extends unknown[], Row>(statement: string) => {
      let place = 0;
      const prepared = statements.prepare(statement.replaceAll('?', () => `$${++place}`));
      return {
        get: (...values: Values) => prepared.get(...values) as Row | undefined,
        all: (...values: Values) => prepared.all(...values) as Row[],
      };
    },
    copy: () => copied(connection, formatted(), tables),
    // Otherwise the audit log refuses the deletion.
    empty() {
      connection.query("select set_config('session_replication_role', 'replica', false)");
      connection.query(`truncate ${tables.map((table) => `"${table}"`).join(', ')} restart identity`);
      connection.query("select set_config('session_replication_role', 'origin', false)");
    },
  };
}

function copied(connection: Connection, sqlite: SqliteDatabase.Database, tables: readonly string[]) {
  for (const table of tables) {
    const { columns, rows } = connection.query(`select * from "${table}"`);
    const names = columns.map((column) => `"${column}"`).join(', ');
    const put = sqlite.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) put.run(...row);
  }
  return sqlite;
}
