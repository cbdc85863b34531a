import type { SQL } from 'drizzle-orm';
import { contentText } from '../../domain/shadow/orders.ts';
import { LAST_FORGOTTEN } from '../personal.ts';
import { nextTick, putFact } from './cursors.ts';
import type { Queryable } from './database.ts';
import { contentOf, findErpOrder, toOrder } from './erp-orders.ts';
import { markForgotten, withoutCustomer } from './forgotten.ts';
import { findOrder, hashOf, linesOf, toStored } from './order-rows.ts';
import { sql } from './orm.ts';
import { ONLY_OF_CUSTOMERS, type Place, placesOf, type Subject } from './personal-rows.ts';
import { FORGOTTEN, patternsOf, textsOf, withoutPerson, withoutTexts } from './personal-texts.ts';

/** Tables whose rows are deleted. They are about the person only, or are needed only for a while. */
const TAKEN_AWAY = ['customers', 'erp_customers', 'misfits', 'inbox'] as const satisfies readonly Place[];
/** Tables whose rows may name the person. Rows of a customer flow say nothing else. */
const REWRITTEN = [
  'mappings',
  'journal',
  'intents',
  'work',
  'failed_jobs',
  'brake_items',
] as const satisfies readonly Place[];

type Row = Readonly<Record<string, unknown>>;

/** Deletes all data about the person, and marks the forgotten entities. Answers the number of changed rows by table. */
export function forgetSubject(
  tx: Queryable,
  account: string,
  subject: Subject,
  nowMs: number,
): Record<string, number> & { readonly orders: number } {
  const places = placesOf(account, subject);
  const rows: Record<string, number> = {};
  const patterns = patternsOf(textsOf(personalTexts(tx, places)));
  for (const table of REWRITTEN) rows[table] = rewrite(tx, table, places[table], patterns);
  for (const table of TAKEN_AWAY) {
    rows[table] = tx.run(sql`delete from ${sql.identifier(table)} where ${places[table]}`).changes;
  }
  const { ids, numbers, inErp } = subject;
  for (const number of numbers) forgetInOrder(tx, account, number, nowMs);
  for (const id of inErp) forgetInErpOrder(tx, account, id, nowMs);
  if (ids.marketplaceId !== null) markForgotten(tx, account, 'customer', String(ids.marketplaceId), nowMs);
  if (ids.erpId !== null) markForgotten(tx, account, 'erp-customer', ids.erpId, nowMs);
  putFact(tx, { account, name: LAST_FORGOTTEN, value: String(nextTick(tx, account)), updatedAtMs: nowMs });
  return { ...rows, orders: numbers.length, erp_orders: inErp.length };
}

/** Everything that was received about the person, as JSON. */
function personalTexts(tx: Queryable, places: ReturnType<typeof placesOf>): string[] {
  const contents = tx.all<{ name: string | null; content: string }>(sql`
    select name, content from customers where ${places.customers}
    union all select null, content from erp_customers where ${places.erp_customers}
    union all select customer_name, raw from orders where ${places.orders}
    union all select null, json_extract(content, '$.customer') from erp_orders where ${places.erp_orders}`);
  return contents.flatMap(({ name, content }) => [content, JSON.stringify({ name })]);
}

const KEPT_COLUMNS = [
  'row_id',
  'account',
  'flow',
  'key',
  'kind',
  'state',
  'lane',
  'outcome',
  'action',
  'cause',
  'external_id',
  'marketplace_id',
  'erp_id',
  'how',
];

function rewrite(tx: Queryable, table: Place, where: SQL, patterns: readonly RegExp[]): number {
  const name = sql.identifier(table);
  const rows = tx.all<Row>(sql`select rowid as row_id, * from ${name} where ${where}`);
  let changed = 0;
  for (const row of rows) {
    const ofCustomer = [row['flow'], row['kind']].some((of) => ONLY_OF_CUSTOMERS.has(of));
    const hidden = Object.entries(row).flatMap(([column, value]) => {
      if (typeof value !== 'string' || KEPT_COLUMNS.includes(column)) return [];
      const named = isSaidByASide(column, row) && value !== '' ? FORGOTTEN : withoutTexts(value, patterns);
      const without = ofCustomer && column !== 'target' ? withoutPerson(named) : named;
      return without === value ? [] : [sql`${sql.identifier(column)} = ${without}`];
    });
    if (hidden.length === 0) continue;
    tx.run(sql`update ${name} set ${sql.join(hidden, sql`, `)} where rowid = ${row['row_id']}`);
    changed += 1;
  }
  return changed;
}

/** Why something did not succeed, in the words of a side. */
function isSaidByASide(column: string, { outcome }: Row): boolean {
  return column === 'message' || (column === 'answer' && (outcome === 'refused' || outcome === 'unknown'));
}

function forgetInOrder(tx: Queryable, account: string, number: string, nowMs: number): void {
  markForgotten(tx, account, 'order', number, nowMs);
  const row = findOrder(tx, { account, number });
  if (row === undefined) return;
  const lines = linesOf(tx, account, number);
  const hash = hashOf(contentText(toStored({ ...row, customerName: null }, lines).order, lines));
  tx.run(sql`update orders set customer_name = null, raw = ${withoutPerson(row.raw)}, hash = ${hash}
    where account = ${account} and number = ${number}`);
}

function forgetInErpOrder(tx: Queryable, account: string, id: string, nowMs: number): void {
  markForgotten(tx, account, 'erp-order', id, nowMs);
  const row = findErpOrder(tx, { account, id });
  if (row === undefined) return;
  const content = contentOf(withoutCustomer(toOrder(row)));
  tx.run(sql`update erp_orders set content = ${content} where account = ${account} and id = ${id}`);
}
