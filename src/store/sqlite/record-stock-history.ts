import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { OrderLine } from '../../domain/order.ts';
import { effectOf } from '../../domain/status.ts';
import type { Queryable } from './database.ts';
import { insertInto } from './queries.ts';
import { stockHistory } from './tables/reading.ts';

/** The changes of stock and orders, recorded in the transaction that stores the change itself. */

const insert = insertInto(stockHistory);

interface OrderState {
  readonly status: string;
  readonly lines: readonly (OrderLine & { readonly late: boolean })[];
}

export interface OrderChange {
  readonly account: string;
  readonly number: string;
  /** null: it was not known. */
  readonly before: OrderState | null;
  readonly after: OrderState;
  readonly stockQuantity: (line: OrderLine) => Decimal;
}

/** An order's share of each listing, where that is another quantity, or counted elsewhere, than before. */
export function recordOrderChange(tx: Queryable, change: OrderChange, nowMs: number): void {
  const { account, number, stockQuantity } = change;
  const before = sharesOf(change.before, stockQuantity);
  const after = sharesOf(change.after, stockQuantity);
  for (const listingId of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(listingId) ?? null, after.get(listingId) ?? null];
    if (from === to) continue;
    const what = { kind: 'order' as const, key: String(listingId), part: number };
    insert(tx, { account, atMs: nowMs, ...what, before: from, after: to, asOf: null });
  }
}

/** `reserved 7`, by listing. */
function sharesOf(order: OrderState | null, stockQuantity: OrderChange['stockQuantity']): Map<number, string> {
  const effect = order === null ? 'none' : effectOf(order.status);
  if (order === null || effect === 'none') return new Map();
  const totals = new Map<number, Decimal>();
  for (const line of order.lines) {
    if (line.late) continue;
    totals.set(line.productId, (totals.get(line.productId) ?? ZERO).plus(stockQuantity(line)));
  }
  const counted = totals.entries().filter(([, total]) => !total.isZero());
  return new Map(counted.map(([listingId, total]) => [listingId, `${effect} ${total.toFixed()}`]));
}

export interface Reading {
  readonly account: string;
  readonly productId: string;
  readonly place: string;
  readonly before: string | null;
  /** null: it cannot be used. */
  readonly available: string | null;
  readonly asOf: string;
}

export function recordReading(tx: Queryable, reading: Reading, nowMs: number): void {
  const { account, productId, place, before, available, asOf } = reading;
  const what = { kind: 'reading' as const, key: productId, part: place };
  if (before !== available) insert(tx, { account, atMs: nowMs, ...what, before, after: available, asOf });
}

export interface Held {
  /** Reserved or shipped; else nothing is counted. */
  readonly isCounted: boolean;
  readonly lines: readonly { readonly sku: string; readonly quantity: string }[];
}

export interface HoldingChange {
  readonly account: string;
  readonly id: string;
  /** null: it was not known. */
  readonly before: Held | null;
  readonly after: Held;
  /** The ERP's clock. */
  readonly since: string;
}

/** The units that the ERP counts for one of its orders, by SKU, where that is another quantity than before. */
export function recordHoldingChange(tx: Queryable, change: HoldingChange, nowMs: number): void {
  const { account, id, since } = change;
  const [before, after] = [heldBy(change.before), heldBy(change.after)];
  for (const sku of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(sku) ?? ZERO, after.get(sku) ?? ZERO];
    if (from.equals(to)) continue;
    const what = { kind: 'holding' as const, key: sku, part: id };
    insert(tx, { account, atMs: nowMs, ...what, before: from.toFixed(), after: to.toFixed(), asOf: since });
  }
}

function heldBy(order: Held | null): Map<string, Decimal> {
  const totals = new Map<string, Decimal>();
  if (order?.isCounted !== true) return totals;
  for (const { sku, quantity } of order.lines) totals.set(sku, (totals.get(sku) ?? ZERO).plus(quantity));
  return totals;
}
