import { type Former, hasFormer } from '../sqlite/adopt.ts';
import type { Connection } from './connection.ts';

/* The 12 former migrations are one now, with the same tables (decisions/one-first-migration.md). */

export const FORMER: Former = {
  count: 12,
  first: 'a5b71f1bf8ebe675053a13da92e78d588a95b0ee2920aefb5f6fcbe92a5a2b03',
  last: '179b89bf681216233344ac8c124368238f728fab02662c853864a964f7cbee3f',
};

/** @throws StoreError when the database has only some of the former migrations */
export function isFormer(connection: Connection): boolean {
  const { rows } = connection.query('select hash from stockbridge_migrations');
  return hasFormer(FORMER, new Set(rows.map(([hash]) => String(hash))), 'the database in PostgreSQL');
}

export function adopt(connection: Connection, name: string, hash: string): void {
  connection.query('delete from stockbridge_migrations');
  connection.query('insert into stockbridge_migrations (name, hash) values ($1, $2)', [name, hash]);
}
