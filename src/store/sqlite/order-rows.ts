import { createHash } from 'node:crypto';
import { Decimal, decimalOrNull } from '../../domain/decimal.ts';
import { lateness } from '../../domain/lateness.ts';
import type { MarketplaceOrder } from '../../domain/order.ts';
import type { KnownLine } from '../../domain/shadow/order-move.ts';
import type { ObservedOrder, StoredOrder } from '../marketplace.ts';
import type { Readable } from './database.ts';
import { and, asc, eq, sql } from './orm.ts';
import { built, rowBy } from './queries.ts';
import { orderLines, orders } from './tables/marketplace.ts';

export type OrderRow = typeof orders.$inferSelect;
export type LineRow = typeof orderLines.$inferSelect;

export const findOrder = rowBy(orders, 'account', 'number');

export const ofOrder = and(
  eq(orderLines.account, sql.placeholder('account')),
  eq(orderLines.number, sql.placeholder('number')),
);
const findLines = built((db) => db.select().from(orderLines).where(ofOrder).orderBy(asc(orderLines.lineId)).prepare());

export function linesOf(tx: Readable, account: string, number: string): LineRow[] {
  return findLines(tx).all({ account, number });
}

export function orderRow(
  account: string,
  { order, raw }: ObservedOrder,
  before: OrderRow | null,
  hash: string,
  nowMs: number,
): OrderRow {
  return {
    account,
    number: order.number,
    status: order.status,
    modified: order.modified,
    externalId: order.externalId,
    customerId: order.customer.id,
    customerName: order.customer.name,
    discountAmount: order.discountAmount.toFixed(),
    shippingAmount: order.shippingAmount?.toFixed() ?? null,
    taxAmount: order.taxAmount?.toFixed() ?? null,
    total: order.total?.toFixed() ?? null,
    deliveryState: order.deliveryState,
    hasLines: order.lines !== null || (before?.hasLines ?? false),
    linesStatus: order.lines !== null ? order.status : (before?.linesStatus ?? null),
    hash,
    raw,
    seenAtMs: nowMs,
  };
}

export function lineRows(
  account: string,
  order: MarketplaceOrder,
  before: OrderRow | null,
  linesBefore: LineRow[],
): LineRow[] {
  const known =
    before === null || before.linesStatus === null
      ? null
      : { status: before.linesStatus, lineIds: new Set(linesBefore.map((line) => line.lineId)) };
  const lateBefore = new Set(linesBefore.filter((line) => line.late).map((line) => line.lineId));
  return (order.lines ?? []).map((line) => ({
    account,
    number: order.number,
    lineId: line.id,
    productId: line.productId,
    quantity: line.quantity.toFixed(),
    priceAmount: line.orderedUnitPrice.amount.toFixed(),
    currency: line.orderedUnitPrice.currency,
    salesAmount: line.salesPrice?.amount.toFixed() ?? null,
    salesCurrency: line.salesPrice?.currency ?? null,
    unitMultiplier: line.unitMultiplier?.toFixed() ?? null,
    late: lateBefore.has(line.id) || lateness(known, order.status, line.id) === 'late',
  }));
}

/** Only what means something: an echo that differs in nothing but `modified` costs nothing. */
export function contentHash(order: MarketplaceOrder, lines: LineRow[]): string {
  const { modified: _modified, lines: _lines, ...content } = order;
  const sorted = lines.toSorted((a, b) => a.lineId - b.lineId);
  return createHash('sha256')
    .update(JSON.stringify([content, sorted]))
    .digest('base64url');
}

export function toLine(row: LineRow): KnownLine {
  return {
    id: row.lineId,
    productId: row.productId,
    quantity: new Decimal(row.quantity),
    orderedUnitPrice: { amount: new Decimal(row.priceAmount), currency: row.currency },
    salesPrice:
      row.salesAmount === null
        ? null
        : { amount: new Decimal(row.salesAmount), currency: row.salesCurrency ?? row.currency },
    unitMultiplier: decimalOrNull(row.unitMultiplier),
    late: row.late,
  };
}

export function toStored(row: OrderRow, lineRowsOf: LineRow[]): StoredOrder {
  const lines = row.hasLines ? lineRowsOf.map(toLine) : null;
  return {
    order: {
      number: row.number,
      status: row.status,
      modified: row.modified,
      externalId: row.externalId,
      customer: { id: row.customerId, name: row.customerName },
      discountAmount: new Decimal(row.discountAmount),
      shippingAmount: decimalOrNull(row.shippingAmount),
      taxAmount: decimalOrNull(row.taxAmount),
      total: decimalOrNull(row.total),
      deliveryState: row.deliveryState,
      lines,
    },
    lines,
  };
}
