import { Decimal, sum, ZERO } from './decimal.ts';
import {
  heldAt,
  isLastAt,
  isReservedBy,
  type OrderEvent,
  type ReadingEvent,
  reserveAlike,
  type Share,
  type StockPast,
} from './stock-past.ts';
import type { StrategyName } from './strategy.ts';

/** The limits of the record, and the strategy under which it was made. */
export interface Recording {
  /** The strategy that was in force. */
  readonly keptBy: StrategyName;
  /** Where another strategy tells the ERP of an order at another moment: the delay until the ERP's figure counts the order. */
  readonly lagMs: number;
}

/**
 * The ERP's available figure of one product as it was read, and the units that it counts for orders. Where the strategy
 * reserves at the same moments as the recorded one, the count is the real one. Elsewhere it is the count that there would
 * have been.
 * @param shares the orders' units at each moment, kept by the caller
 */
export function createErpPast(
  past: StockPast,
  strategy: StrategyName,
  { keptBy, lagMs }: Recording,
  shares: ReadonlyMap<string, Share>,
) {
  const alike = reserveAlike(strategy, keptBy);
  const due = createDue(lagMs);
  let read: { readonly available: Decimal; readonly asOf: string } | null = null;
  /** For orders that the ERP hears of at another moment under this strategy: the count as it was, and as it would be. */
  const really = new Map<string, Decimal>();
  const instead = new Map<string, Decimal>();

  const isAsRecorded = (order: string) => alike || past.madeInErp.has(order);
  const quantityOf = (order: string) => shares.get(order)?.quantity ?? ZERO;
  const recorded = (order: string) =>
    read === null ? ZERO : Decimal.min(heldAt(past.holdings.get(order), read.asOf), quantityOf(order));
  const counted = (order: string) =>
    isAsRecorded(order) ? recorded(order) : Decimal.min(instead.get(order) ?? ZERO, quantityOf(order));
  for (const [order, share] of past.shares) {
    if (!isAsRecorded(order) && isReservedBy(strategy, share)) instead.set(order, share.quantity);
  }

  const heldBeyond = (order: string) => {
    const held = read === null ? ZERO : heldAt(past.holdings.get(order), read.asOf);
    const all = held.minus(really.get(order) ?? ZERO).plus(instead.get(order) ?? ZERO);
    return Decimal.max(all.minus(counted(order)), 0);
  };

  return {
    counted,
    /** The units that the figure counts for an order beyond the order's own. */
    heldBeyond,
    /** Does the figure count the units that the ERP held for the order in the end? */
    isFinal: (order: string) => read !== null && isLastAt(past.holdings.get(order), read.asOf),
    /** null: it is not known. */
    available(): Decimal | null {
      return read === null ? null : read.available.plus(sum(really.values())).minus(sum(instead.values()));
    },
    nextDueMs: due.nextMs,
    /** Counts the units that are due by now. Answers whether the figure changed. */
    countDue(nowMs: number): boolean {
      let changed = false;
      for (const { order, told } of due.take(nowMs)) {
        const quantity = Decimal.min(told, quantityOf(order));
        if (!quantity.greaterThan(instead.get(order) ?? ZERO)) continue;
        instead.set(order, quantity);
        changed = true;
      }
      return changed;
    },
    onOrder({ order, share, atMs }: OrderEvent): void {
      if (isAsRecorded(order)) return;
      really.set(order, Decimal.max(really.get(order) ?? ZERO, recorded(order)));
      if (share === null || !isReservedBy(strategy, share)) return;
      if (share.quantity.greaterThan(instead.get(order) ?? ZERO)) due.add(atMs, order, share.quantity);
    },
    /** The ERP releases units that orders have given up when its figure is read next. */
    onReading({ available, asOf }: ReadingEvent): void {
      read = available === null ? null : { available, asOf };
      really.clear();
      for (const order of instead.keys()) if (!shares.has(order)) instead.delete(order);
      for (const order of shares.keys()) {
        if (isAsRecorded(order)) continue;
        really.set(order, recorded(order));
        if (instead.has(order)) instead.set(order, counted(order));
      }
    },
    /**
     * Forgets an order when the figure counts it in full, both as it was and as it would be: the figure is the same
     * without it. The caller makes sure that the order is final. Answers whether the order was forgotten.
     */
    settle(order: string): boolean {
      const quantity = quantityOf(order);
      const isWhole = recorded(order).equals(quantity) && counted(order).equals(quantity);
      if (!isWhole) return false;
      really.delete(order);
      instead.delete(order);
      return true;
    },
  };
}

/** The units that the ERP is going to count, each after the same delay. */
function createDue(lagMs: number) {
  const waiting: { readonly atMs: number; readonly order: string; readonly told: Decimal }[] = [];
  return {
    add(toldAtMs: number, order: string, told: Decimal): void {
      waiting.push({ atMs: toldAtMs + lagMs, order, told });
    },
    nextMs(): number {
      return waiting[0]?.atMs ?? Number.POSITIVE_INFINITY;
    },
    take(nowMs: number) {
      const first = waiting.findIndex(({ atMs }) => atMs > nowMs);
      return waiting.splice(0, first < 0 ? waiting.length : first);
    },
  };
}
