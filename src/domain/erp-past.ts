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

export interface Recording {
  readonly keptBy: StrategyName;
  /** The ERP's delay in counting an order, for strategies that export it at another moment. */
  readonly lagMs: number;
}

/**
 * Replays the ERP's available figure of one product under a strategy. If the strategy reserves at the same moments as
 * the recorded one, the recorded counts are used. Otherwise they are estimated.
 * @param shares the orders' units at each moment, updated by the caller
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
  /** For orders that this strategy reserves at another moment: units that the ERP counted, and would have counted. */
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
    /** The units that the ERP's figure counts for an order beyond the order's own. */
    heldBeyond,
    /** Returns whether the last figure counts the order's final units. */
    isFinal: (order: string) => read !== null && isLastAt(past.holdings.get(order), read.asOf),
    /** null: unknown. */
    available(): Decimal | null {
      return read === null ? null : read.available.plus(sum(really.values())).minus(sum(instead.values()));
    },
    nextDueMs: due.nextMs,
    /** Counts the units due by now. Returns whether the figure changed. */
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
    /** The ERP releases units of reduced orders at its next figure. */
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
     * Drops an order that the figure counts in full, as it has no more effect. The caller makes sure that the order is
     * final. Returns whether it was dropped.
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

/** A queue of units that the ERP will count after the delay. */
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
