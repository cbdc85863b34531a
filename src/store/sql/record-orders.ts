import { decimalOrNull } from '../../domain/decimal.ts';
import type { OrderMove } from '../../domain/shadow/order-move.ts';
import { isSameAnswer, withOrderRead } from '../../domain/shadow/orders.ts';
import { isOutdated } from '../../domain/shadow/row.ts';
import { orderChanges } from '../../domain/shadow/stock-history.ts';
import { listedOrCounted } from '../../domain/units.ts';
import type { ObservedOrder, RecordOrders } from '../marketplace.ts';
import { storeRows } from './by-row.ts';
import { nextTick, recordWindow } from './cursors.ts';
import type { Queryable } from './database.ts';
import { asRemembered } from './forgotten.ts';
import { findProduct, moveListings } from './listings.ts';
import { dropMisfit, saveMisfit, saveUnstored } from './misfits.ts';
import { findOrder, hashOf, linesOf } from './order-rows.ts';
import type { WriteAt } from './part.ts';
import { changeBy, deleteBy, insertInto, putInto } from './queries.ts';
import { saveHistory } from './stock-history.ts';
import { orderLines, orders } from './tables/marketplace.ts';
import { markDue, markWork } from './work.ts';

/** As `store.orders.record`, in the caller's transaction. */
export function recordOrders(at: WriteAt, batch: RecordOrders): string[] {
  const { tx, nowMs } = at;
  const { account, lane } = batch;
  const hold = (key: string) => markWork(tx, { account, flow: 'order-in', key }, lane, 'does not fit', nowMs);
  const changed = storeRows(at, batch.rows, {
    store: (rows) => rows.filter((row) => recordOrder(tx, batch, row, nowMs)).map(({ order }) => order.number),
    setAside: ({ order }, problem) => hold(saveUnstored(at, account, 'orders', order.number, problem)),
  });
  for (const misfit of batch.misfits) hold(saveMisfit(tx, account, 'orders', misfit, nowMs));
  if (batch.window !== null) recordWindow(tx, batch.window, nowMs);
  return changed;
}

const putOrder = putInto(orders, 'account', 'number');
const insertLine = insertInto(orderLines);

const deleteLines = deleteBy(orderLines, 'account', 'number');
const changeHead = changeBy(orders, ['account', 'number'], ['modified', 'hasLines', 'linesStatus', 'raw']);

function recordOrder(tx: Queryable, batch: RecordOrders, observed: ObservedOrder, nowMs: number): boolean {
  const { account, lane, askedAtMs, cursorBefore, lookedAt, knownBeforeTick } = batch;
  const { number } = observed.order;
  const known = findOrder(tx, { account, number });
  if (isOutdated(known, observed.order, askedAtMs)) return false;
  const mended = dropMisfit(tx, account, 'orders', number);
  const seen = { account, mended, cursorBefore, isFirstRead: knownBeforeTick === 0, lookedAt, nowMs };
  // Most rows of a page are equal to the stored rows. Nothing else is loaded for them.
  if (isSameAnswer(known, { ...seen, ...observed })) return false;
  const read = { ...seen, ...asRemembered(tx, account, observed) };
  const before = known === undefined ? null : { row: known, lines: linesOf(tx, account, number) };
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
  // The read that shows it shows every order from before it as well, once it is complete.
  const releasedTick = batch.readTick === null ? nextTick(tx, account) : batch.readTick - 1;
  const moved = { ...move, knownBeforeTick, releasedTick, stockQuantity: countedAsListed(tx, batch) };
  moveListings(tx, account, moved, lane, nowMs);
  saveHistory(tx, account, orderChanges(moved), nowMs);
  return true;
}

/** A line's quantity as its listing counts it. A line without units per case takes the units per case of the listing. */
function countedAsListed(tx: Queryable, { account, units }: RecordOrders): OrderMove['stockQuantity'] {
  const ofListing = (id: number) => decimalOrNull(findProduct(tx, { account, id })?.unitMultiplier ?? null);
  return (line) => listedOrCounted(units, line.quantity, line.unitMultiplier ?? ofListing(line.productId));
}
