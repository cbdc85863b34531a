import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { contentText } from '../../domain/shadow/orders.ts';
import { OVER_STATUSES } from '../../domain/status.ts';
import { type CustomerIds, LAST_FORGOTTEN, type PersonalStore } from '../personal.ts';
import { nextTick, putFact } from './cursors.ts';
import type { Queryable } from './database.ts';
import { contentOf, findErpOrder, toOrder } from './erp-orders.ts';
import { markForgotten, withoutCustomer } from './forgotten.ts';
import { addActs } from './journal.ts';
import { findOrder, hashOf, linesOf, toStored } from './order-rows.ts';
import { and, getTableColumns, notInArray, sql } from './orm.ts';
import type { Reads, WriteAt, Writes } from './part.ts';
import { customerSubject, ONLY_OF_CUSTOMERS, type Place, placesOf, type Subject } from './personal-rows.ts';
import { FORGOTTEN, patternsOf, textsOf, withoutPerson, withoutTexts } from './personal-texts.ts';
import { answers } from './tables/access.ts';
import { erpCustomers, erpOrders, erpPayments } from './tables/erp.ts';
import { customers, orderLines, orders, payments } from './tables/marketplace.ts';
import { forgotten, inbox, invalidRows } from './tables/reading.ts';
import { brakeItems, journal } from './tables/record.ts';
import { failedJobs, intents, mappings, orderBases, work } from './tables/work.ts';

const TABLES = {
  customers,
  erp_customers: erpCustomers,
  mappings,
  invalid_rows: invalidRows,
  inbox,
  work,
  failed_jobs: failedJobs,
  brake_items: brakeItems,
  journal,
  intents,
  order_bases: orderBases,
  orders,
  erp_orders: erpOrders,
  order_lines: orderLines,
  payments,
  erp_payments: erpPayments,
  forgotten,
} as const satisfies Record<Place, unknown>;

type Row = Readonly<Record<string, unknown>>;

export const personalReads = {
  find({ db }, account, id) {
    const ofAccount = sql`account = ${account}`;
    const found: CustomerIds[] = db
      .select({ marketplaceId: mappings.marketplaceId, erpId: mappings.erpId })
      .from(mappings)
      .where(sql`${ofAccount} and kind = 'customer' and (marketplace_id = ${id} or erp_id = ${id})`)
      .all()
      .map(({ marketplaceId, erpId }) => ({
        marketplaceId: marketplaceId === null ? null : Number(marketplaceId),
        erpId,
      }));
    const has = (table: typeof customers | typeof orders | typeof erpCustomers, is: SQL): boolean =>
      db.select({ one: sql`1` }).from(table).where(sql`${ofAccount} and ${is}`).limit(1).all().length > 0;
    const number = /^\d{1,15}$/.test(id) ? Number(id) : null;
    const isThere = has(customers, sql`id = ${number}`) || has(orders, sql`customer_id = ${number}`);
    if (isThere && !found.some(({ marketplaceId }) => marketplaceId === number)) {
      found.push({ marketplaceId: number, erpId: null });
    }
    if (has(erpCustomers, sql`id = ${id}`) && !found.some(({ erpId }) => erpId === id)) {
      found.push({ marketplaceId: null, erpId: id });
    }
    return found;
  },

  rows({ db }, account, ids) {
    const found: Record<string, Row[]> = {};
    const places = placesOf(account, customerSubject(db, account, ids));
    for (const [place, table] of Object.entries(TABLES)) {
      const rows: Row[] = db
        .select(columnsOf(table))
        .from(table)
        .where(places[place as Place])
        .all();
      if (rows.length > 0) found[place] = rows.map(readable);
    }
    return found;
  },

  openOrders({ db }, account, { marketplaceId }, limit) {
    const ofCustomer = sql`account = ${account} and customer_id = ${marketplaceId}`;
    return db
      .select({ number: orders.number })
      .from(orders)
      .where(and(ofCustomer, notInArray(orders.status, [...OVER_STATUSES])))
      .limit(limit)
      .all()
      .map(({ number }) => number);
  },
} satisfies Reads<PersonalStore>;

export const personalWrites = {
  forget(at, account, ids, by) {
    const { tx, nowMs } = at;
    const rows = forgetSubject(at, account, customerSubject(tx, account, ids));
    const kept = rows.orders;
    const key = String(ids.marketplaceId ?? ids.erpId);
    const target = `customer ${ids.marketplaceId ?? '-'} of the marketplace, ${ids.erpId ?? '-'} of the ERP`;
    const after = `forgotten; ${kept} orders are kept without it`;
    addActs(tx, [{ account, flow: 'customer-in', key, action: 'forget', target, before: null, after, by }], nowMs);
    return { rows: Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0)), orders: kept };
  },
} satisfies Writes<PersonalStore>;

/** The columns of a table. A link's echoes are returned as stored text. */
function columnsOf(table: SQLiteTable): Record<string, SQLiteColumn | SQL> {
  const columns = getTableColumns(table);
  return table === mappings ? { ...columns, echoes: sql`${mappings.echoes}` } : columns;
}

/** Received bodies become text, so that people can read them. */
function readable(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString() : value]);
  return Object.fromEntries(entries) as Row;
}

/** Tables whose rows are deleted: about the person only, or needed only for a while. */
const TAKEN_AWAY = ['customers', 'erp_customers', 'invalid_rows', 'inbox'] as const satisfies readonly Place[];
/** Tables whose rows may name the person. Rows of a customer flow contain nothing else. */
const REWRITTEN = [
  'mappings',
  'journal',
  'intents',
  'work',
  'failed_jobs',
  'brake_items',
] as const satisfies readonly Place[];

/** Marks the erased entities. Returns the changed rows by table. */
export function forgetSubject(
  at: WriteAt,
  account: string,
  subject: Subject,
): Record<string, number> & { readonly orders: number } {
  const { tx, nowMs } = at;
  const places = placesOf(account, subject);
  const rows: Record<string, number> = {};
  const patterns = patternsOf(textsOf(personalTexts(tx, places)));
  for (const table of REWRITTEN) rows[table] = rewrite(at, table, places[table], patterns);
  for (const table of TAKEN_AWAY) {
    rows[table] = tx.run(sql`delete from ${sql.identifier(table)} where ${places[table]}`).changes;
  }
  // Any act's answer may name the person.
  tx.update(answers).set({ answer: null }).run();
  const { ids, numbers, inErp } = subject;
  for (const number of numbers) forgetInOrder(tx, account, number, nowMs);
  for (const id of inErp) forgetInErpOrder(tx, account, id, nowMs);
  if (ids.marketplaceId !== null) markForgotten(tx, account, 'customer', String(ids.marketplaceId), nowMs);
  if (ids.erpId !== null) markForgotten(tx, account, 'erp-customer', ids.erpId, nowMs);
  putFact(tx, { account, name: LAST_FORGOTTEN, value: String(nextTick(tx, account)), updatedAtMs: nowMs });
  return { ...rows, orders: numbers.length, erp_orders: inErp.length };
}

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

function rewrite({ tx, shared }: WriteAt, table: Place, where: SQL, patterns: readonly RegExp[]): number {
  const name = sql.identifier(table);
  const rows = tx.all<Row>(sql`select ${shared.rowId} as row_id, * from ${name} where ${where}`);
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
    tx.run(sql`update ${name} set ${sql.join(hidden, sql`, `)} where ${shared.rowId} = ${row['row_id']}`);
    changed += 1;
  }
  return changed;
}

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
