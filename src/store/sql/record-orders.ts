import { decimalOrNull } from '../../domain/decimal.ts';
import type { OrderMove } from '../../domain/shadow/order-move.ts';
import { isSameAnswer, type OrderRead, withOrderRead } from '../../domain/shadow/orders.ts';
import { isOutdated } from '../../domain/shadow/row.ts';
import { orderChanges } from '../../domain/shadow/stock-history.ts';
import { listedOrLineFigure } from '../../domain/units.ts';
import type { ObservedOrder, RecordOrders } from '../marketplace.ts';
import { nextTick, recordWindow } from './cursors.ts';
import type { Queryable } from './database.ts';
import { asRemembered, isAnyForgotten } from './forgotten.ts';
import { invalidRowsToDrop, saveInvalidRow, saveUnstored } from './invalid-rows.ts';
import { findProduct, moveListings } from './listings.ts';
import { hashOf, type LineRow, linesOfAll, type OrderRow, ordersOf } from './order-rows.ts';
import type { WriteAt } from './part.ts';
import { changeBy, deleteBy, insertInto, putInto } from './queries.ts';
import { storeRows, withoutRepeats } from './row-by-row.ts';
import { saveHistory } from './stock-history.ts';
import { orderLines, orders } from './tables/marketplace.ts';
import { markDue, markWork } from './work.ts';

export function recordOrders(at: WriteAt, batch: RecordOrders): string[] {
  const { tx, nowMs } = at;
  const { account, lane } = batch;
  const hold = (key: string) => markWork(tx, { account, flow: 'order-in', key }, lane, 'does not fit', nowMs);
  const changed = storeRows(at, batch.rows, {
    store: (rows) => withoutRepeats(rows, numberOf).flatMap((part) => recordPage(tx, batch, part, nowMs)),
    setAside: ({ order }, problem) => hold(saveUnstored(at, account, 'orders', order.number, problem)),
  });
  for (const invalidRow of batch.invalidRows) hold(saveInvalidRow(tx, account, 'orders', invalidRow, nowMs));
  if (batch.window !== null) recordWindow(tx, batch.window, nowMs);
  return changed;
}

const numberOf = ({ order }: ObservedOrder) => order.number;
const putOrder = putInto(orders, 'account', 'number');
const insertLine = insertInto(orderLines);

const deleteLines = deleteBy(orderLines, 'account', 'number');
const changeHead = changeBy(orders, ['account', 'number'], ['modified', 'hasLines', 'linesStatus', 'raw']);

/** Loaded in three statements. */
interface Page {
  readonly rows: ReadonlyMap<string, OrderRow>;
  readonly lines: ReadonlyMap<string, readonly LineRow[]>;
  readonly isAnyForgotten: boolean;
}

/** Returns the numbers of the orders that really changed. */
function recordPage(tx: Queryable, batch: RecordOrders, observed: readonly ObservedOrder[], nowMs: number): string[] {
  const { account, askedAtMs, cursorBefore, lookedAt, knownBeforeTick } = batch;
  const numbers = observed.map(({ order }) => order.number);
  const rows = ordersOf(tx, account, numbers);
  const mends = invalidRowsToDrop(tx, account, 'orders');
  const seen = { account, cursorBefore, isFirstRead: knownBeforeTick === 0, lookedAt, nowMs };
  const current = observed.filter(({ order }) => !isOutdated(rows.get(order.number), order, askedAtMs));
  const reads = current.map((one) => ({ ...seen, ...one, mended: mends(one.order.number) }));
  // Most rows of a page equal the stored ones and need no more data.
  const news = reads.filter((read) => !isSameAnswer(rows.get(read.order.number), read));
  if (news.length === 0) return [];
  const storedNumbers = news.map(({ order }) => order.number).filter((number) => rows.has(number));
  const page = { rows, lines: linesOfAll(tx, account, storedNumbers), isAnyForgotten: isAnyForgotten(tx, account) };
  return news.filter((read) => recordOrder(tx, batch, read, page)).map(({ order }) => order.number);
}

function recordOrder(tx: Queryable, batch: RecordOrders, observed: OrderRead, page: Page): boolean {
  const { account, lane, knownBeforeTick, readTick } = batch;
  const { nowMs } = observed;
  const { number } = observed.order;
  const stored = page.rows.get(number);
  const read = page.isAnyForgotten ? { ...observed, ...asRemembered(tx, account, observed) } : observed;
  const before = stored === undefined ? null : { row: stored, lines: page.lines.get(number) ?? [] };
  const { row, head, lines, move, due } = withOrderRead(before, read, hashOf);
  if (head !== null) changeHead(tx, { account, number, ...head });
  if (row === null) return false;
  putOrder(tx, { account, ...row });
  if (lines !== null) {
    deleteLines(tx, { account, number });
    for (const line of lines) insertLine(tx, line);
  }
  markDue(tx, account, due, lane, nowMs);
  if (move === null) return true;
  // Once complete, the read that shows the order also shows every earlier order.
  const releasedTick = readTick === null ? nextTick(tx, account) : readTick - 1;
  const moved = { ...move, knownBeforeTick, releasedTick, stockQuantity: countedAsListed(tx, batch) };
  moveListings(tx, account, moved, lane, nowMs);
  saveHistory(tx, account, orderChanges(moved), nowMs);
  return true;
}

/** A line's quantity in the listing's unit. A line without units per case uses the listing's. */
function countedAsListed(tx: Queryable, { account, units }: RecordOrders): OrderMove['stockQuantity'] {
  const ofListing = (id: number) => decimalOrNull(findProduct(tx, { account, id })?.unitMultiplier ?? null);
  return (line) => listedOrLineFigure(units, line.quantity, line.unitMultiplier ?? ofListing(line.productId));
}
