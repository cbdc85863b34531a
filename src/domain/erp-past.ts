import { Decimal, sum, ZERO } from './decimal.ts';
import { isBefore } from './instant.ts';
import {
  heldAt,
  isReservedBy,
  type OrderEvent,
  type ReadingEvent,
  reserveAlike,
  type Share,
  type StockPast,
} from './stock-past.ts';
import type { StrategyName } from './strategy.ts';

/** How the record came about, and what is not in it. */
export interface Recording {
  /** The strategy by which the ERP was told. */
  readonly keptBy: StrategyName;
  /** How long after it should reserve an order the ERP counts it, under a strategy by which it was not told. */
  readonly lagMs: number;
}

/**
 * The ERP's available figure of one product as it was read, and what that counts of the orders: as it was where the
 * strategy has the ERP reserve when the recorded one did; else as it would have been.
 * @param shares what orders have of it at each moment, kept by the caller
 */
export function createErpPast(
  past: StockPast,
  strategy: StrategyName,
  { keptBy, lagMs }: Recording,
  shares: ReadonlyMap<string, Share>,
) {
  const alike = reserveAlike(strategy, keptBy);
  const due: { readonly atMs: number; readonly order: string; readonly quantity: Decimal }[] = [];
  let read: { readonly available: Decimal; readonly asOf: string } | null = null;
  /** Of orders that this strategy tells at other moments: what the figure counts as it was, and as it would be. */
  const really = new Map<string, Decimal>();
  const instead = new Map<string, Decimal>();
  /** What orders had reserved and have no more. */
  const givenUp = new Map<string, Decimal>();

  const isAsRecorded = (order: string) => alike || past.madeInErp.has(order);
  const quantityOf = (order: string) => shares.get(order)?.quantity ?? ZERO;
  const recorded = (order: string) =>
    read === null ? ZERO : Decimal.min(heldAt(past.holdings.get(order), read.asOf), quantityOf(order));
  const counted = (order: string) =>
    isAsRecorded(order) ? recorded(order) : Decimal.min(instead.get(order) ?? ZERO, quantityOf(order));
  for (const [order, share] of past.shares) {
    if (!isAsRecorded(order) && isReservedBy(strategy, share)) instead.set(order, share.quantity);
  }

  /** What the order gave up, of what the figure counts beyond what it has. */
  const releasedOf = (order: string) => {
    const held = read === null ? ZERO : heldAt(past.holdings.get(order), read.asOf);
    const all = held.minus(really.get(order) ?? ZERO).plus(instead.get(order) ?? ZERO);
    const beyond = Decimal.max(all.minus(counted(order)), 0);
    return Decimal.min(givenUp.get(order) ?? ZERO, beyond);
  };

  /** Does the figure count what the ERP held for it in the end? */
  const isFinal = (order: string) => {
    const since = past.holdings.get(order)?.at(-1)?.since ?? null;
    return read !== null && (since === null || !isBefore(read.asOf, since));
  };

  return {
    counted,
    /** What was cancelled before it left, and the ERP has not let go of yet: it is there all the same. */
    released(): Decimal {
      return sum(givenUp.keys().map(releasedOf));
    },
    /** null: it is not known. */
    available(): Decimal | null {
      return read === null ? null : read.available.plus(sum(really.values())).minus(sum(instead.values()));
    },
    nextDueMs(): number {
      return due[0]?.atMs ?? Number.POSITIVE_INFINITY;
    },
    /** Counts what it is to count by now; answers whether its figure changed. */
    countDue(nowMs: number): boolean {
      let changed = false;
      for (let [next] = due; next !== undefined && next.atMs <= nowMs; [next] = due) {
        due.shift();
        const quantity = Decimal.min(next.quantity, quantityOf(next.order));
        if (!quantity.greaterThan(instead.get(next.order) ?? ZERO)) continue;
        instead.set(next.order, quantity);
        changed = true;
      }
      return changed;
    },
    /** What the order has was changed, from `before`. */
    onOrder({ order, share, atMs }: OrderEvent, before: Share | undefined): void {
      const less = (before?.quantity ?? ZERO).minus(share?.quantity ?? ZERO).plus(givenUp.get(order) ?? ZERO);
      if (before?.effect !== 'consumed' && less.greaterThan(0)) givenUp.set(order, less);
      else givenUp.delete(order);
      if (isAsRecorded(order)) return;
      really.set(order, Decimal.max(really.get(order) ?? ZERO, recorded(order)));
      if (share === null || !isReservedBy(strategy, share)) return;
      if (share.quantity.greaterThan(instead.get(order) ?? ZERO)) {
        due.push({ atMs: atMs + lagMs, order, quantity: share.quantity });
      }
    },
    /** What orders do not have any more, the ERP lets go of when its figure is read next. */
    onReading({ available, asOf }: ReadingEvent): void {
      read = available === null ? null : { available, asOf };
      really.clear();
      for (const order of instead.keys()) if (!shares.has(order)) instead.delete(order);
      for (const order of shares.keys()) {
        if (isAsRecorded(order)) continue;
        really.set(order, recorded(order));
        if (instead.has(order)) instead.set(order, counted(order));
      }
      for (const order of givenUp.keys()) {
        if (!shares.has(order) && isFinal(order) && releasedOf(order).isZero()) givenUp.delete(order);
      }
    },
    /**
     * Forgets an order that is counted in full for good, as it was and as it would be: the figure is the same without it.
     * Answers whether it is.
     */
    settle(order: string): boolean {
      const quantity = quantityOf(order);
      const isWhole = recorded(order).equals(quantity) && counted(order).equals(quantity);
      if (!isFinal(order) || !isWhole || !releasedOf(order).isZero()) return false;
      for (const known of [really, instead, givenUp]) known.delete(order);
      return true;
    },
  };
}
