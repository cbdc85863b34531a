import { type Decimal, ZERO } from '../decimal.ts';
import { effectOf } from '../status.ts';
import type { OrderMove } from './order-move.ts';

/** See the database schema. */
export interface HistoryChange {
  readonly kind: 'reading' | 'order' | 'holding' | 'status';
  readonly key: string;
  readonly part: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The ERP's clock. */
  readonly asOf: string | null;
}

/** Returns the change of an order's status on one side, if any. `before` null: the side did not show the order. */
export function statusChange(
  side: 'marketplace' | 'erp',
  key: string,
  before: string | null,
  after: string,
  asOf: string | null,
): HistoryChange[] {
  return before === after ? [] : [{ kind: 'status', key, part: side, before, after, asOf }];
}

/** Changes of an order's status, and of the units of each listing that it holds. */
export function orderChanges(move: Pick<OrderMove, 'number' | 'before' | 'after' | 'stockQuantity'>): HistoryChange[] {
  const status = statusChange('marketplace', move.number, move.before?.status ?? null, move.after.status, null);
  return [...status, ...shareChanges(move)];
}

function shareChanges(move: Parameters<typeof orderChanges>[0]): HistoryChange[] {
  const [before, after] = [sharesOf(move.before, move), sharesOf(move.after, move)];
  const changed = keysOf(before, after).filter((listingId) => before.get(listingId) !== after.get(listingId));
  return changed.map((listingId) => ({
    kind: 'order',
    key: String(listingId),
    part: move.number,
    before: before.get(listingId) ?? null,
    after: after.get(listingId) ?? null,
    asOf: null,
  }));
}

/** The units of each listing that the order holds, as text: `reserved 7`. */
function sharesOf(
  order: OrderMove['before'],
  { stockQuantity }: Pick<OrderMove, 'stockQuantity'>,
): Map<number, string> {
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

/** A change of the ERP's available figure of a product or place. null: unknown or unusable. */
export function readingChange(
  productId: string,
  place: string,
  before: string | null,
  after: string | null,
  asOf: string,
): HistoryChange[] {
  return before === after ? [] : [{ kind: 'reading', key: productId, part: place, before, after, asOf }];
}

export interface Held {
  /** The order is reserved or shipped. Otherwise the ERP counts nothing for it. */
  readonly isCounted: boolean;
  readonly lines: readonly { readonly sku: string; readonly quantity: string }[];
}

export interface HoldingChange {
  readonly id: string;
  /** null: the order is new. */
  readonly before: Held | null;
  readonly after: Held;
  /** The ERP's clock. */
  readonly since: string;
}

/** Changes of the units that the ERP counts for one of its orders, by SKU. */
export function holdingChanges({ id, since, ...order }: HoldingChange): HistoryChange[] {
  const [before, after] = [heldBy(order.before), heldBy(order.after)];
  return keysOf(before, after).flatMap((sku) => {
    const [from, to] = [before.get(sku) ?? ZERO, after.get(sku) ?? ZERO];
    if (from.equals(to)) return [];
    return [{ kind: 'holding', key: sku, part: id, before: from.toFixed(), after: to.toFixed(), asOf: since }];
  });
}

function heldBy(order: Held | null): Map<string, Decimal> {
  const totals = new Map<string, Decimal>();
  if (order?.isCounted !== true) return totals;
  for (const { sku, quantity } of order.lines) totals.set(sku, (totals.get(sku) ?? ZERO).plus(quantity));
  return totals;
}

function keysOf<Key>(before: ReadonlyMap<Key, unknown>, after: ReadonlyMap<Key, unknown>): Key[] {
  return [...new Set([...before.keys(), ...after.keys()])];
}
