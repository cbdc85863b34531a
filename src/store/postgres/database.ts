import type { Database as Sqlite } from 'better-sqlite3';
import { createCommits } from '../sql/commits.ts';
import type { Database, Queryable } from '../sql/database.ts';
import { drizzle, sql } from '../sql/orm.ts';
import { postgresEngine, tryLock } from './commit-engine.ts';
import type { Connection } from './connection.ts';

/** The reads and transactions of one connection to PostgreSQL, for a thread that may wait. */
export function connected(connection: Connection): { readonly db: Database; commitAll(): void } {
  // The connection has what drizzle uses of SQLite's driver.
  const drizzled = drizzle({ client: connection as unknown as Sqlite });
  const engine = postgresEngine(connection);
  const { transaction, note, commitAll } = createCommits<Queryable>(engine, drizzled);
  const shared: Database['shared'] = {
    isAlone: false,
    clockMs: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    tryLock: (_, account) => tryLock(connection, account),
  };
  const db = Object.assign(drizzled, { snapshot: engine.snapshot, transaction, note, shared });
  return { db, commitAll };
}
