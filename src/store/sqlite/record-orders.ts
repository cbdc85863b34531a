import { isDeepStrictEqual } from 'node:util';
import { decimalOrNull } from '../../domain/decimal.ts';
import { isBefore } from '../../domain/instant.ts';
import type { MarketplaceOrder } from '../../domain/order.ts';
import { orderChanges } from '../../domain/shadow/stock-history.ts';
import type { ObservedOrder, RecordOrders } from '../marketplace.ts';
import { recordWindow } from './cursors.ts';
import type { Queryable } from './database.ts';
import { findProduct, moveListings } from './listings.ts';
import { dropMisfit, saveMisfit } from './misfits.ts';
import {
  contentHash,
  findOrder,
  type LineRow,
  lineRows,
  linesOf,
  type OrderRow,
  ofOrder,
  orderRow,
  toLine,
} from './order-rows.ts';
import { and, eq } from './orm.ts';
import { built, insertInto, putInto } from './queries.ts';
import { saveHistory } from './stock-history.ts';
import { orderLines, orders } from './tables/marketplace.ts';
import { markWork } from './work.ts';

/**
 * Stores the rows of a read and their consequences, in the caller's transaction; answers the numbers that really changed.
 */
export function recordOrders(tx: Queryable, batch: RecordOrders, nowMs: number): string[] {
  const changed: string[] = [];
  for (const row of batch.rows) if (recordOrder(tx, batch, row, nowMs)) changed.push(row.order.number);
  for (const misfit of batch.misfits) {
    saveMisfit(tx, batch.account, 'orders', misfit, nowMs);
    markWork(tx, { account: batch.account, flow: 'order-in', key: misfit.what }, batch.lane, 'does not fit', nowMs);
  }
  if (batch.window !== null) recordWindow(tx, batch.window, nowMs);
  return changed;
}

const putOrder = putInto(orders, 'account', 'number');
const insertLine = insertInto(orderLines);

const deleteLines = built((db) => db.delete(orderLines).where(ofOrder).prepare());

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
  if (order.number !== batch.lookedAt)
    markWork(tx, { account, flow: 'order-in', key: order.number }, batch.lane, reasonOf(before, order), nowMs);
  const sameLines = lines === null || isDeepStrictEqual(lines.toSorted(byId), linesBefore);
  // Its head alone says nothing of stock.
  if (sameLines && before?.status === order.status && !mended) return true;
  if (!sameLines) replaceLines(tx, account, order.number, lines);
  const change = {
    number: order.number,
    before: before === null ? null : { status: before.status, lines: linesBefore.map(toLine) },
    after: { status: order.status, lines: (lines ?? linesBefore).map(toLine) },
  };
  // A row at or below the cursor became visible late: figures that were read since may count it already.
  const late = batch.cursorBefore !== null && !isBefore(batch.cursorBefore, order.modified);
  const { knownBeforeTick, stockQuantity } = countedAsListed(tx, batch);
  const wasHidden = late || mended || batch.cursorBefore === null;
  moveListings(tx, account, { ...change, late, wasHidden, knownBeforeTick, stockQuantity }, batch.lane, nowMs);
  saveHistory(tx, account, orderChanges({ ...change, stockQuantity }), nowMs);
  return true;
}

/** As the ledger counts: a line that does not say how many a case holds is one of its listing's. */
function countedAsListed(tx: Queryable, batch: RecordOrders): RecordOrders {
  const { account } = batch;
  const ofListing = (id: number) => decimalOrNull(findProduct(tx, { account, id })?.unitMultiplier ?? null);
  return {
    ...batch,
    stockQuantity: (line) =>
      batch.stockQuantity({ ...line, unitMultiplier: line.unitMultiplier ?? ofListing(line.productId) }),
  };
}

function reasonOf(before: OrderRow | null, order: MarketplaceOrder): string {
  if (before === null) return `order seen for the first time, ${order.status}`;
  return before.status === order.status ? 'order changed' : `order went from ${before.status} to ${order.status}`;
}

function byId(a: LineRow, b: LineRow): number {
  return a.lineId - b.lineId;
}

function isOrder(account: string, number: string) {
  return and(eq(orders.account, account), eq(orders.number, number));
}

function replaceLines(tx: Queryable, account: string, number: string, lines: LineRow[]): void {
  deleteLines(tx).run({ account, number });
  for (const line of lines) insertLine(tx, line);
}
