import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { OVER_STATUSES } from '../../domain/status.ts';
import type { CustomerIds, PersonalStore } from '../personal.ts';
import { forgetSubject } from './forget.ts';
import { addActs } from './journal.ts';
import { and, getTableColumns, notInArray, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { customerSubject, type Place, placesOf } from './personal-rows.ts';
import { erpCustomers, erpOrders, erpPayments } from './tables/erp.ts';
import { customers, orderLines, orders, payments } from './tables/marketplace.ts';
import { forgotten } from './tables/personal.ts';
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
  forgotten,
} as const satisfies Record<Place, unknown>;

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
    const mine = sql`account = ${account} and customer_id = ${marketplaceId}`;
    return db
      .select({ number: orders.number })
      .from(orders)
      .where(and(mine, notInArray(orders.status, [...OVER_STATUSES])))
      .limit(limit)
      .all()
      .map(({ number }) => number);
  },
} satisfies Reads<PersonalStore>;

export const personalWrites = {
  forget({ tx, nowMs }, account, ids, by) {
    const rows = forgetSubject(tx, account, customerSubject(tx, account, ids), nowMs);
    const kept = rows.orders;
    const key = String(ids.marketplaceId ?? ids.erpId);
    const target = `customer ${ids.marketplaceId ?? '-'} of the marketplace, ${ids.erpId ?? '-'} of the ERP`;
    const after = `forgotten; ${kept} orders are kept without it`;
    addActs(tx, [{ account, flow: 'customer-in', key, action: 'forget', target, before: null, after, by }], nowMs);
    return { rows: Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0)), orders: kept };
  },
} satisfies Writes<PersonalStore>;

/** The columns of a table. The echoes of a link are answered as the text that is stored. */
function columnsOf(table: SQLiteTable): Record<string, SQLiteColumn | SQL> {
  const columns = getTableColumns(table);
  return table === mappings ? { ...columns, echoes: sql`${mappings.echoes}` } : columns;
}

/** Received bodies become text, so that a person can read them. */
function readable(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString() : value]);
  return Object.fromEntries(entries) as Row;
}
