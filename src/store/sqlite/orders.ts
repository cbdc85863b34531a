import type { MarketplaceOrder } from '../../domain/order.ts';
import { type Effect, effectOf, lineEffect } from '../../domain/status.ts';
import type { Database } from './database.ts';
import {
  contentHash,
  findOrder,
  lineRows,
  linesOf,
  type StoredLine,
  type StoredOrder,
  toLine,
  toStored,
} from './order-rows.ts';
import { and, desc, eq, isNull, sql } from './orm.ts';
import { built, keysAfter, nthNewestModified } from './queries.ts';
import { type RecordOrders, recordOrders } from './record-orders.ts';
import { orderLines, orders } from './tables/marketplace.ts';

export function orderStore(db: Database, now: () => number) {
  return {
    /** Stores what was read and what follows from it in one transaction; answers the numbers that really changed. */
    async record(batch: RecordOrders): Promise<string[]> {
      return db.transaction((tx) => recordOrders(tx, batch, now()));
    },

    async get(account: string, number: string): Promise<StoredOrder | null> {
      const row = findOrder(db, { account, number });
      return row === undefined ? null : toStored(row, linesOf(db, account, number));
    },

    async raw(account: string, number: string): Promise<string | null> {
      return findOrder(db, { account, number })?.raw ?? null;
    },

    /** Is this order, whenever it was modified, what the shadow has? Lines that it does not show are not compared. */
    async isAsKnown(account: string, order: MarketplaceOrder): Promise<boolean> {
      const before = findOrder(db, { account, number: order.number });
      if (before === undefined) return false;
      const linesBefore = linesOf(db, account, order.number);
      const lines = order.lines === null ? linesBefore : lineRows(account, order, before, linesBefore);
      return contentHash(order, lines) === before.hash;
    },

    /** `modified` of the n-th newest order known, as sent. */
    async nthNewestModified(account: string, n: number): Promise<string | null> {
      return nthNewest(db, account, n);
    },

    /** Live and dead orders that carry this external id; normally none or one. */
    async byExternalId(account: string, externalId: string): Promise<string[]> {
      return db
        .select({ number: orders.number })
        .from(orders)
        .where(and(eq(orders.account, account), eq(orders.externalId, externalId)))
        .limit(10)
        .all()
        .map((row) => row.number);
    },

    /** Orders of a customer without an external id: candidates for a create whose answer was lost. */
    async unmarked(account: string, customerId: number): Promise<StoredOrder[]> {
      return db
        .select()
        .from(orders)
        .where(and(eq(orders.account, account), eq(orders.customerId, customerId), isNull(orders.externalId)))
        .orderBy(desc(orders.modified))
        .limit(50)
        .all()
        .map((row) => toStored(row, linesOf(db, account, row.number)));
    },

    /** Live lines of a listing, as the ledger needs them. */
    async liveLines(
      account: string,
      productId: number,
    ): Promise<{ number: string; modified: string; line: StoredLine; effect: Effect }[]> {
      return findLinesOfProduct(db)
        .all({ account, productId })
        .map(({ status, modified, line }) => ({
          number: line.number,
          modified,
          line: toLine(line),
          effect: lineEffect(status, line.late),
        }))
        .filter((row) => row.effect !== 'none');
    },

    /** Lines of a listing that are counted nowhere because they were added after Accepted, of living orders. */
    async lateLines(account: string, productId: number): Promise<StoredLine[]> {
      return findLinesOfProduct(db)
        .all({ account, productId })
        .filter(({ status, line }) => line.late && effectOf(status) !== 'none')
        .map(({ line }) => toLine(line));
    },

    async numbersWithProduct(account: string, productId: number): Promise<string[]> {
      return db
        .selectDistinct({ number: orderLines.number })
        .from(orderLines)
        .where(and(eq(orderLines.account, account), eq(orderLines.productId, productId)))
        .all()
        .map((row) => row.number);
    },

    /** When something of the orders that have this listing changed last, as far as is known: epoch milliseconds. */
    async movedAtMs(account: string, productId: number): Promise<number> {
      return findMoved(db).get({ account, productId })?.atMs ?? 0;
    },

    async byStatus(account: string): Promise<{ status: string; count: number }[]> {
      return db
        .select({ status: orders.status, count: sql<number>`count(*)` })
        .from(orders)
        .where(eq(orders.account, account))
        .groupBy(orders.status)
        .all();
    },

    /** All order numbers after `after`, in order: for a pass over everything. */
    async numbers(account: string, after: string, limit: number): Promise<string[]> {
      return numbersAfter(db, account, after, limit);
    },

    async count(account: string): Promise<number> {
      const counted = db.select({ count: sql<number>`count(*)` }).from(orders).where(eq(orders.account, account)).get();
      return counted?.count ?? 0;
    },
  };
}

const numbersAfter = keysAfter(orders, 'number');
const nthNewest = nthNewestModified(orders);

const findLinesOfProduct = built((db) => {
  const { account, productId } = orderLines;
  return db
    .select({ status: orders.status, modified: orders.modified, line: orderLines })
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.account, account), eq(orders.number, orderLines.number)))
    .where(and(eq(account, sql.placeholder('account')), eq(productId, sql.placeholder('productId'))))
    .prepare();
});

const findMoved = built((db) => {
  const { account, productId } = orderLines;
  return db
    .select({ atMs: sql<number>`max(${orders.seenAtMs})` })
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.account, account), eq(orders.number, orderLines.number)))
    .where(and(eq(account, sql.placeholder('account')), eq(productId, sql.placeholder('productId'))))
    .prepare();
});
