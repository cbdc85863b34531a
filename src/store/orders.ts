import { createHash } from 'node:crypto';
import { Decimal } from '../domain/decimal.ts';
import { isBefore } from '../domain/instant.ts';
import { lateness } from '../domain/lateness.ts';
import type { MarketplaceOrder, OrderLine } from '../domain/order.ts';
import { type Effect, lineEffect } from '../domain/status.ts';
import { recordWindow, type Window } from './cursors.ts';
import type { Database, Queryable, Readable } from './database.ts';
import { dropMisfit, type FoundMisfit, saveMisfit } from './misfits.ts';
import { moveStock } from './move-stock.ts';
import { and, asc, desc, eq, gt, isNull, sql } from './orm.ts';
import { built, insertInto, putInto, rowBy } from './queries.ts';
import { orderLines, orders } from './schema.ts';
import { type Lane, markWork } from './work.ts';

export interface ObservedOrder {
  readonly order: MarketplaceOrder;
  /** The body as it came, lossless. */
  readonly raw: string;
}

export interface StoredLine extends OrderLine {
  readonly late: boolean;
}

export interface StoredOrder {
  readonly order: MarketplaceOrder;
  readonly lines: readonly StoredLine[] | null;
}

export interface RecordOrders {
  readonly account: string;
  readonly rows: readonly ObservedOrder[];
  readonly misfits: readonly FoundMisfit[];
  readonly window: Window | null;
  /** Everything that happened before this tick had been read when these rows were asked for. */
  readonly knownBeforeTick: number;
  /** The cursor before this read: rows at or below it became visible late, or are read again. */
  readonly cursorBefore: string | null;
  readonly lane: Lane;
  /** A line's quantity in the marketplace's stock units. */
  readonly stockQuantity: (line: OrderLine) => Decimal;
}

type OrderRow = typeof orders.$inferSelect;
type LineRow = typeof orderLines.$inferSelect;

export function orderStore(db: Database, now: () => number) {
  return {
    /** Stores what was read and what follows from it in one transaction; answers the numbers that really changed. */
    async record(batch: RecordOrders): Promise<string[]> {
      return db.transaction((tx) => {
        const changed: string[] = [];
        for (const row of batch.rows) if (recordOrder(tx, batch, row, now())) changed.push(row.order.number);
        for (const misfit of batch.misfits) {
          saveMisfit(tx, batch.account, 'orders', misfit, now());
          markWork(tx, { account: batch.account, flow: 'order', key: misfit.what }, batch.lane, 'does not fit', now());
        }
        if (batch.window !== null) recordWindow(tx, batch.window, now());
        return changed;
      });
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
      const newest = db.select({ modified: orders.modified }).from(orders).where(eq(orders.account, account));
      return (
        newest
          .orderBy(desc(orders.modified))
          .limit(1)
          .offset(n - 1)
          .get()?.modified ?? null
      );
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
      return db
        .select({ number: orders.number })
        .from(orders)
        .where(and(eq(orders.account, account), gt(orders.number, after)))
        .orderBy(asc(orders.number))
        .limit(limit)
        .all()
        .map((row) => row.number);
    },

    async count(account: string): Promise<number> {
      const counted = db.select({ count: sql<number>`count(*)` }).from(orders).where(eq(orders.account, account)).get();
      return counted?.count ?? 0;
    },
  };
}

const findOrder = rowBy(orders, 'account', 'number');

const putOrder = putInto(orders, 'account', 'number');
const insertLine = insertInto(orderLines);

const ofOrder = and(
  eq(orderLines.account, sql.placeholder('account')),
  eq(orderLines.number, sql.placeholder('number')),
);
const findLines = built((db) => db.select().from(orderLines).where(ofOrder).orderBy(asc(orderLines.lineId)).prepare());
const deleteLines = built((db) => db.delete(orderLines).where(ofOrder).prepare());

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

function isOrder(account: string, number: string) {
  return and(eq(orders.account, account), eq(orders.number, number));
}

function linesOf(tx: Readable, account: string, number: string): LineRow[] {
  return findLines(tx).all({ account, number });
}

function recordOrder(tx: Queryable, batch: RecordOrders, observed: ObservedOrder, nowMs: number): boolean {
  const { account } = batch;
  const { order } = observed;
  const before = findOrder(tx, { account, number: order.number }) ?? null;
  // An answer that was overtaken by a later one says nothing new.
  if (before !== null && isBefore(order.modified, before.modified)) return false;
  const linesBefore = before === null ? [] : linesOf(tx, account, order.number);
  const lines = order.lines === null ? null : lineRows(account, order, before, linesBefore);
  const hash = contentHash(order, lines ?? linesBefore);
  const mended = dropMisfit(tx, account, 'orders', order.number);
  const row = orderRow(account, observed, before, hash, nowMs);
  if (before !== null && before.hash === hash && !mended) {
    if (before.modified !== row.modified || before.linesStatus !== row.linesStatus) {
      const { modified, linesStatus, raw } = row;
      tx.update(orders).set({ modified, linesStatus, raw }).where(isOrder(account, order.number)).run();
    }
    return false;
  }
  putOrder(tx, row);
  if (lines !== null) replaceLines(tx, account, order.number, lines);
  moveStock(
    tx,
    batch,
    {
      number: order.number,
      before: before === null ? null : { status: before.status, lines: linesBefore.map(toLine) },
      after: { status: order.status, lines: (lines ?? linesBefore).map(toLine) },
      // A row at or below the cursor became visible late: figures that were read since may count it already.
      late: batch.cursorBefore !== null && !isBefore(batch.cursorBefore, order.modified),
    },
    nowMs,
  );
  markWork(tx, { account, flow: 'order', key: order.number }, batch.lane, reasonOf(before, order), nowMs);
  return true;
}

function reasonOf(before: OrderRow | null, order: MarketplaceOrder): string {
  if (before === null) return `order seen for the first time, ${order.status}`;
  return before.status === order.status ? 'order changed' : `order went from ${before.status} to ${order.status}`;
}

function orderRow(
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

function lineRows(
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

function replaceLines(tx: Queryable, account: string, number: string, lines: LineRow[]): void {
  deleteLines(tx).run({ account, number });
  for (const line of lines) insertLine(tx, line);
}

/** Only what means something: an echo that differs in nothing but `modified` costs nothing. */
function contentHash(order: MarketplaceOrder, lines: LineRow[]): string {
  const { modified: _modified, lines: _lines, ...content } = order;
  const sorted = lines.toSorted((a, b) => a.lineId - b.lineId);
  return createHash('sha256')
    .update(JSON.stringify([content, sorted]))
    .digest('base64url');
}

export function toLine(row: LineRow): StoredLine {
  return {
    id: row.lineId,
    productId: row.productId,
    quantity: new Decimal(row.quantity),
    orderedUnitPrice: { amount: new Decimal(row.priceAmount), currency: row.currency },
    salesPrice:
      row.salesAmount === null
        ? null
        : { amount: new Decimal(row.salesAmount), currency: row.salesCurrency ?? row.currency },
    unitMultiplier: row.unitMultiplier === null ? null : new Decimal(row.unitMultiplier),
    late: row.late,
  };
}

function decimalOrNull(text: string | null): Decimal | null {
  return text === null ? null : new Decimal(text);
}

function toStored(row: OrderRow, lineRowsOf: LineRow[]): StoredOrder {
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
