import { type Decimal, ZERO } from './decimal.ts';
import { isBefore } from './instant.ts';
import type { Effect } from './status.ts';
import { STRATEGIES, type StrategyName } from './strategy.ts';

/** The units of a product that an order holds, in ERP units, and the marketplace figure that counts them. */
export interface Share {
  readonly effect: Exclude<Effect, 'none'>;
  readonly quantity: Decimal;
}

/** The ERP's available figure as read, and the ERP's time of it. null: unusable. */
export interface ReadingEvent {
  readonly kind: 'reading';
  readonly atMs: number;
  readonly available: Decimal | null;
  readonly asOf: string;
}

/** The order's share from now on. null: none of its units count. */
export interface OrderEvent {
  readonly kind: 'order';
  readonly atMs: number;
  readonly order: string;
  readonly share: Share | null;
}

/** At the time it became known here. */
export type StockEvent = ReadingEvent | OrderEvent;

/** The units that the ERP counts for an order, and since which ERP time. null: since before the record. */
export interface Holding {
  readonly quantity: Decimal;
  readonly since: string | null;
}

/** In ERP units. */
export interface StockPast {
  /** ERP units per 1 of the listing's figure. */
  readonly unitsIn: Decimal;
  readonly shares: ReadonlyMap<string, Share>;
  /** In the order in which they became known. */
  readonly events: readonly StockEvent[];
  /** The units that the ERP counted for each order, earliest first. */
  readonly holdings: ReadonlyMap<string, readonly Holding[]>;
  /** Orders made in the ERP, which reserves them itself. */
  readonly madeInErp: ReadonlySet<string>;
}

/** The units that an ERP figure of time `asOf` counts for an order. */
export function heldAt(holdings: readonly Holding[] | undefined, asOf: string): Decimal {
  return holdings?.findLast(({ since }) => since === null || !isBefore(asOf, since))?.quantity ?? ZERO;
}

/** Returns whether the ERP counted the order's final units at this time. */
export function isLastAt(holdings: readonly Holding[] | undefined, asOf: string): boolean {
  const since = holdings?.at(-1)?.since ?? null;
  return since === null || !isBefore(asOf, since);
}

/** The lowest status rank of each effect: Submitted, Fulfilled. */
const LEAST_RANK = { reserved: 1, consumed: 3 } as const;

export function isReservedBy(strategy: StrategyName, { effect }: Share): boolean {
  return LEAST_RANK[effect] >= STRATEGIES[strategy].reserveFromRank;
}

/** Returns whether the ERP reserves at the same moments under both. */
export function reserveAlike(a: StrategyName, b: StrategyName): boolean {
  return STRATEGIES[a].reserveFromRank === STRATEGIES[b].reserveFromRank;
}

/** The ERP's delays in counting orders after it should have, in milliseconds. */
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

/** null: no lags. */
export function medianMs(lags: readonly number[]): number | null {
  return lags.toSorted((a, b) => a - b)[Math.floor(lags.length / 2)] ?? null;
}
