import type { SQL } from 'drizzle-orm';
import { contentText } from '../../domain/shadow/orders.ts';
import { DEAD_STATUSES } from '../../domain/status.ts';
import type { CustomerIds, PersonalStore } from '../personal.ts';
import type { Queryable } from './database.ts';
import { addActs } from './journal.ts';
import { findOrder, hashOf, linesOf, toStored } from './order-rows.ts';
import { and, notInArray, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { type Place, placesOf } from './personal-rows.ts';
import { textsOf, withoutPerson, withoutTexts } from './personal-texts.ts';
import { erpCustomers, erpOrders, erpPayments } from './tables/erp.ts';
import { customers, orderLines, orders, payments } from './tables/marketplace.ts';
import { inbox, misfits } from './tables/reading.ts';
import { brakeItems, journal } from './tables/record.ts';
import { failedJobs, intents, mappings, orderBases, work } from './tables/work.ts';

const TABLES = {
  customers,
  erp_customers: erpCustomers,
  mappings,
  misfits,
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
} as const satisfies Record<Place, unknown>;

/** Rows are about the person and nothing else, or passed through. */
const TAKEN_AWAY = ['customers', 'erp_customers', 'misfits', 'inbox'] as const satisfies readonly Place[];
/** Rows may name the person. Those of a customer flow say nothing else. */
const REWRITTEN = [
  'mappings',
  'journal',
  'intents',
  'work',
  'failed_jobs',
  'brake_items',
] as const satisfies readonly Place[];

type Row = Readonly<Record<string, unknown>>;

export const personalReads = {
  find({ db }, account, id) {
    const mine = sql`account = ${account}`;
    const found: CustomerIds[] = db
      .select({ marketplaceId: mappings.marketplaceId, erpId: mappings.erpId })
      .from(mappings)
      .where(sql`${mine} and kind = 'customer' and (marketplace_id = ${id} or erp_id = ${id})`)
      .all()
      .map(({ marketplaceId, erpId }) => ({
        marketplaceId: marketplaceId === null ? null : Number(marketplaceId),
        erpId,
      }));
    const has = (table: typeof customers | typeof orders | typeof erpCustomers, is: SQL): boolean =>
      db.select({ one: sql`1` }).from(table).where(sql`${mine} and ${is}`).limit(1).all().length > 0;
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
    const places = placesOf(account, ids);
    for (const [place, table] of Object.entries(TABLES)) {
      const rows: Row[] = db
        .select()
        .from(table)
        .where(places[place as Place])
        .all();
      if (rows.length > 0) found[place] = rows.map(readable);
    }
    return found;
  },

  openOrders({ db }, account, { marketplaceId }, limit) {
    const mine = sql`account = ${account} and customer_id = ${marketplaceId}`;
    return db
      .select({ number: orders.number })
      .from(orders)
      .where(and(mine, notInArray(orders.status, [...DEAD_STATUSES, 'Shipped', 'Complete'])))
      .limit(limit)
      .all()
      .map(({ number }) => number);
  },
} satisfies Reads<PersonalStore>;

export const personalWrites = {
  forget({ tx, nowMs }, account, ids, by) {
    const places = placesOf(account, ids);
    const rows: Record<string, number> = {};
    const texts = textsOf(personalTexts(tx, places));
    for (const table of REWRITTEN) rows[table] = rewrite(tx, table, places[table], texts);
    for (const table of TAKEN_AWAY) {
      rows[table] = tx.run(sql`delete from ${sql.identifier(table)} where ${places[table]}`).changes;
    }
    const kept = forgetInOrders(tx, account, places.orders);
    rows['orders'] = kept;
    rows['erp_orders'] = forgetInErpOrders(tx, places.erp_orders);
    const key = String(ids.marketplaceId ?? ids.erpId);
    const target = `customer ${ids.marketplaceId ?? '-'} of the marketplace, ${ids.erpId ?? '-'} of the ERP`;
    const after = `forgotten; ${kept} orders are kept without it`;
    addActs(tx, [{ account, flow: 'customer-in', key, action: 'forget', target, before: null, after, by }], nowMs);
    return { rows: Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0)), orders: kept };
  },
} satisfies Writes<PersonalStore>;

/** What was received is text for a person who reads it. */
function readable(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString() : value]);
  return Object.fromEntries(entries) as Row;
}

/** Everything that was received about the person, as JSON. */
function personalTexts(tx: Queryable, places: ReturnType<typeof placesOf>): string[] {
  const contents = tx.all<{ content: string }>(sql`
    select content from customers where ${places.customers}
    union all select json_object('name', name, 'customer', content) from customers where ${places.customers}
    union all select content from erp_customers where ${places.erp_customers}
    union all select raw from orders where ${places.orders}
    union all select json_object('name', customer_name) from orders where ${places.orders}
    union all select json_extract(content, '$.customer') from erp_orders where ${places.erp_orders}`);
  return contents.map(({ content }) => content);
}

const KEPT_COLUMNS = [
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

function rewrite(tx: Queryable, table: Place, where: SQL, texts: readonly string[]): number {
  const name = sql.identifier(table);
  const rows = tx.all<Row>(sql`select rowid as row_id, * from ${name} where ${where}`);
  let changed = 0;
  for (const row of rows) {
    const ofCustomer = [row['flow'], row['kind']].some((of) => typeof of === 'string' && of.startsWith('customer'));
    const hidden = Object.entries(row).flatMap(([column, value]) => {
      if (typeof value !== 'string' || KEPT_COLUMNS.includes(column)) return [];
      const named = withoutTexts(value, texts);
      const without = ofCustomer && column !== 'target' ? withoutPerson(named) : named;
      return without === value ? [] : [sql`${sql.identifier(column)} = ${without}`];
    });
    if (hidden.length === 0) continue;
    tx.run(sql`update ${name} set ${sql.join(hidden, sql`, `)} where rowid = ${row['row_id']}`);
    changed += 1;
  }
  return changed;
}

function forgetInOrders(tx: Queryable, account: string, where: SQL): number {
  const found = tx.all<{ number: string }>(sql`select number from orders where ${where}`);
  for (const { number } of found) {
    const row = findOrder(tx, { account, number });
    if (row === undefined) continue;
    const lines = linesOf(tx, account, number);
    const without = { ...row, customerName: null };
    const hash = hashOf(contentText(toStored(without, lines).order, lines));
    tx.run(sql`update orders set customer_name = null, raw = ${withoutPerson(row.raw)}, hash = ${hash}
      where account = ${account} and number = ${number}`);
  }
  return found.length;
}

function forgetInErpOrders(tx: Queryable, where: SQL): number {
  return tx.run(sql`update erp_orders set content = json_remove(json_set(content, '$.note', '', '$.customer',
    json_object('id', content ->> '$.customer.id', 'marketplaceId', content ->> '$.customer.marketplaceId', 'name', '')),
    '$.attributesText') where ${where}`).changes;
}
