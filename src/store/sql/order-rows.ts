import { createHash } from 'node:crypto';
import { decimalOrNull } from '../../domain/decimal.ts';
import type { FirstSeen } from '../../domain/history.ts';
import { discountIn, sellerOf, toLine } from '../../domain/shadow/orders.ts';
import { lineEffect } from '../../domain/status.ts';
import type { StoredOrder } from '../marketplace.ts';
import type { Readable } from './database.ts';
import { and, asc, eq, getTableColumns } from './orm.ts';
import { matching, rowBy, rowsAmong, rowsBy, selecting } from './queries.ts';
import { orderLines, orders } from './tables/marketplace.ts';

export type OrderRow = typeof orders.$inferSelect;
export type LineRow = typeof orderLines.$inferSelect;

export const findOrder = rowBy(orders, 'account', 'number');

export const findLines = rowsBy(orderLines, ['account', 'number'], { order: [asc(orderLines.lineId)] });

export const isOrderOfLine = and(eq(orders.account, orderLines.account), eq(orders.number, orderLines.number));

const LINE_OF_ORDER = {
  ...getTableColumns(orderLines),
  status: orders.status,
  firstModified: orders.firstModified,
  firstStatus: orders.firstStatus,
  history: orders.history,
};

export function openOrdersOf(db: Readable, account: string, listingId: number): string[] {
  return findLinesOfProduct(db)
    .all({ account, productId: listingId })
    .filter(({ status, late }) => lineEffect(status, late) === 'reserved')
    .map(({ number }) => number);
}

export const findLinesOfProduct = selecting(LINE_OF_ORDER, (db, fields) =>
  db
    .select(fields)
    .from(orderLines)
    .innerJoin(orders, isOrderOfLine)
    .where(matching(orderLines, 'account', 'productId')),
);

export function linesOf(db: Readable, account: string, number: string): readonly LineRow[] {
  return findLines(db, { account, number });
}

const findOrders = rowsAmong(orders, ['account'], 'number');
const findLinesOf = rowsAmong(orderLines, ['account'], 'number');

export function ordersOf(db: Readable, account: string, numbers: readonly string[]): Map<string, OrderRow> {
  return new Map(findOrders(db, { account }, numbers).map((row) => [row.number, row]));
}

/** The lines by order number, sorted by id. */
export function linesOfAll(db: Readable, account: string, numbers: readonly string[]): Map<string, LineRow[]> {
  const byId = (one: LineRow, other: LineRow) => one.lineId - other.lineId;
  return Map.groupBy(findLinesOf(db, { account }, numbers).toSorted(byId), ({ number }) => number);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function sightOf({ firstModified, firstStatus, history }: FirstSeen): FirstSeen {
  return { firstModified, firstStatus, history };
}

export function toStored(row: OrderRow, lineRowsOf: readonly LineRow[]): StoredOrder {
  const lines = row.hasLines ? lineRowsOf.map(toLine) : null;
  return {
    order: {
      number: row.number,
      status: row.status,
      modified: row.modified,
      externalId: row.externalId,
      customer: { id: row.customerId, name: row.customerName },
      ...discountIn(row.discountAmount),
      shippingAmount: decimalOrNull(row.shippingAmount),
      taxAmount: decimalOrNull(row.taxAmount),
      total: decimalOrNull(row.total),
      deliveryState: row.deliveryState,
      lines,
    },
    lines,
    seller: sellerOf(row.raw),
    seen: sightOf(row),
  };
}
