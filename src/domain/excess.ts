import { type Decimal, ZERO } from './decimal.ts';

/** At one moment: the units offered to buyers, and the units free for them. */
export interface Moment {
  readonly atMs: number;
  readonly offered: Decimal;
  readonly free: Decimal;
}

export interface Excess {
  /** Continuous periods of excess. */
  readonly times: number;
  /** The largest excess, and the sum of each period's largest excess. */
  readonly largest: Decimal;
  readonly units: Decimal;
  readonly orders: number;
  readonly worst: Moment | null;
}

export function createExcess() {
  const found = { times: 0, largest: ZERO as Decimal, units: ZERO as Decimal, orders: 0, worst: null as Moment | null };
  let most: Decimal = ZERO;
  return {
    found: found as Excess,
    /** @param newOrders orders that arrived since the previous moment */
    see(amount: Decimal, moment: Moment, newOrders: number): void {
      if (!most.isZero()) found.orders += newOrders;
      if (!amount.greaterThan(0)) {
        most = ZERO;
        return;
      }
      if (most.isZero()) found.times += 1;
      if (amount.greaterThan(most)) {
        found.units = found.units.plus(amount.minus(most));
        most = amount;
      }
      if (amount.greaterThan(found.largest)) {
        found.largest = amount;
        found.worst = moment;
      }
    },
    /** Ends the period, because the figures become unknown. */
    pause(): void {
      most = ZERO;
    },
  };
}

export interface WorstExcess extends Moment {
  readonly sku: string;
  readonly amount: Decimal;
}

export interface TotalExcess extends Omit<Excess, 'worst'> {
  readonly skus: number;
  /** The worst moment of each of the worst products, worst first. */
  readonly worst: readonly WorstExcess[];
}

export function createTotalExcess(shown: number) {
  const sums = { skus: 0, times: 0, largest: ZERO as Decimal, units: ZERO as Decimal, orders: 0 };
  let worst: WorstExcess[] = [];
  return {
    add(sku: string, one: Excess): void {
      if (one.worst === null) return;
      sums.skus += 1;
      sums.times += one.times;
      sums.orders += one.orders;
      sums.units = sums.units.plus(one.units);
      if (one.largest.greaterThan(sums.largest)) sums.largest = one.largest;
      const all = [...worst, { sku, amount: one.largest, ...one.worst }];
      worst = all.toSorted((a, b) => b.amount.comparedTo(a.amount)).slice(0, shown);
    },
    total(): TotalExcess {
      return { ...sums, worst };
    },
  };
}
