import { type Decimal, ZERO } from './decimal.ts';
import { isBefore } from './instant.ts';
import type { Effect } from './status.ts';
import { STRATEGIES, type StrategyName } from './strategy.ts';

/** An order's share of a product, in ERP units, and the figure in which the marketplace counts it. */
export interface Share {
  readonly effect: Exclude<Effect, 'none'>;
  readonly quantity: Decimal;
}

/** The ERP's available figure as it was read (null: it could not be used), and the ERP's own time of that figure. */
export interface ReadingEvent {
  readonly kind: 'reading';
  readonly atMs: number;
  readonly available: Decimal | null;
  readonly asOf: string;
}

/** An order's share from now on. null: no units of the order are counted. */
export interface OrderEvent {
  readonly kind: 'order';
  readonly atMs: number;
  readonly order: string;
  readonly share: Share | null;
}

/** A recorded change of one product, at the moment when it became known here. */
export type StockEvent = ReadingEvent | OrderEvent;

/** The units that the ERP counts for one order, and since when on the ERP's clock. null: since before the record begins. */
export interface Holding {
  readonly quantity: Decimal;
  readonly since: string | null;
}

/** The recorded past of one product, in ERP units. */
export interface StockPast {
  /** The ERP units that a figure of 1 of the listing stands for. */
  readonly unitsIn: Decimal;
  /** The orders' shares at the beginning of the record. */
  readonly shares: ReadonlyMap<string, Share>;
  /** In the order in which they became known. */
  readonly events: readonly StockEvent[];
  /** The units that the ERP counted for each order, earliest first. */
  readonly holdings: ReadonlyMap<string, readonly Holding[]>;
  /** Orders that were made in the ERP, which reserves them by itself. */
  readonly madeInErp: ReadonlySet<string>;
}

/** The units that a figure of the ERP counts for an order: those that the order had when the ERP looked. */
export function heldAt(holdings: readonly Holding[] | undefined, asOf: string): Decimal {
  return holdings?.findLast(({ since }) => since === null || !isBefore(asOf, since))?.quantity ?? ZERO;
}

/** Had the ERP reached its last count for the order at this time? */
export function isLastAt(holdings: readonly Holding[] | undefined, asOf: string): boolean {
  const since = holdings?.at(-1)?.since ?? null;
  return since === null || !isBefore(asOf, since);
}

/** The least rank of a status that has each effect: Submitted, Fulfilled. */
const LEAST_RANK = { reserved: 1, consumed: 3 } as const;

/** Does the ERP reserve an order's share under this strategy? */
export function isReservedBy(strategy: StrategyName, { effect }: Share): boolean {
  return LEAST_RANK[effect] >= STRATEGIES[strategy].reserveFromRank;
}

/** Do both strategies let the ERP reserve at the same moments? */
export function reserveAlike(a: StrategyName, b: StrategyName): boolean {
  return STRATEGIES[a].reserveFromRank === STRATEGIES[b].reserveFromRank;
}

/** How long the ERP took to count each order after the moment when it should have, in milliseconds. */
export function countingLagsMs({ events, holdings, madeInErp }: StockPast, keptBy: StrategyName): number[] {
  const dueSinceMs = new Map<string, number>();
  const lags: number[] = [];
  const seen = new Set<string>();
  for (const event of events) {
    if (event.kind === 'order') {
      const { order, share, atMs } = event;
      if (share === null) dueSinceMs.delete(order);
      else if (isReservedBy(keptBy, share) && !(seen.has(order) || madeInErp.has(order))) {
        seen.add(order);
        dueSinceMs.set(order, atMs);
      }
      continue;
    }
    for (const [order, sinceMs] of dueSinceMs) {
      if (heldAt(holdings.get(order), event.asOf).isZero()) continue;
      lags.push(event.atMs - sinceMs);
      dueSinceMs.delete(order);
    }
  }
  return lags;
}

/** The median; null when there are no lags. */
export function medianMs(lags: readonly number[]): number | null {
  return lags.toSorted((a, b) => a - b)[Math.floor(lags.length / 2)] ?? null;
}
