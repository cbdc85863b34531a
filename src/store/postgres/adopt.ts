import { type Former, hasFormer } from '../sqlite/adopt.ts';
import type { Connection } from './connection.ts';

/*
 * The 12 former migrations are one now, with the same tables (decisions/one-first-migration.md). In them, and in that
 * one as it was at first, `json_extract` called another function. PostgreSQL refuses that in an index that is restored.
 */

const FORMERS: readonly Former[] = [
  {
    count: 12,
    first: 'a5b71f1bf8ebe675053a13da92e78d588a95b0ee2920aefb5f6fcbe92a5a2b03',
    last: '179b89bf681216233344ac8c124368238f728fab02662c853864a964f7cbee3f',
  },
  {
    count: 1,
    first: 'c0af345909b3ea6df431cf5bcaac08bfe9bc40bd8e85da3c9a9be996b3ce2123',
    last: 'c0af345909b3ea6df431cf5bcaac08bfe9bc40bd8e85da3c9a9be996b3ce2123',
  },
];

/**
 * The migrations of an adopted database stay on record under this prefix. A former program that still runs refuses its
 * next transaction when there are more records than the migrations it knows.
 */
const KEPT = 'former ';
export const OWN_MIGRATIONS = `from stockbridge_migrations where not starts_with(name, '${KEPT}')`;

const INDEXES = ['erp_orders_by_customer', 'erp_orders_by_shop_customer'];
const REMADE = new RegExp(String.raw`^(create )?(function json_extract|index "?(${INDEXES.join('|')})"?)(?!\w)`, 'm');

/** @param text a statement that makes an object, or the object in the form of `FOUND` */
export const isMadeAnew = (text: string): boolean => REMADE.test(text);

/** @throws StoreError when the database has only some of the former migrations */
export function formerOf(connection: Connection): Former | null {
  const { rows } = connection.query(`select hash ${OWN_MIGRATIONS}`);
  const hashes = new Set(rows.map(([hash]) => String(hash)));
  return FORMERS.find((former) => hasFormer(former, hashes, 'the database in PostgreSQL')) ?? null;
}

/** @param first the first migration of today */
export function adopt(
  connection: Connection,
  first: { readonly name: string; readonly hash: string; readonly statements: readonly string[] },
): void {
  for (const index of INDEXES) connection.query(`drop index if exists "${index}"`);
  connection.query('drop function json_extract(text, text)');
  for (const statement of first.statements) if (isMadeAnew(statement)) connection.query(statement);
  connection.query(`update stockbridge_migrations set name = '${KEPT}' || name`);
  connection.query('insert into stockbridge_migrations (name, hash) values ($1, $2)', [first.name, first.hash]);
}
