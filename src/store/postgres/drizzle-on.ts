import type { Database as Sqlite } from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { drizzle } from '../sql/orm.ts';

/**
 * The query builder on a connection to PostgreSQL. The store writes what both engines understand; only the values are
 * named otherwise: $1, $2 and so on.
 * @param client has the methods of SQLite's driver that drizzle calls
 */
export function drizzleOn(client: object): BetterSQLite3Database {
  const drizzled = drizzle({ client: client as Sqlite });
  const { dialect } = drizzled as unknown as { dialect: { escapeParam(index: number): string } };
  dialect.escapeParam = (index) => `$${index + 1}`;
  return drizzled;
}
