import { Decimal } from 'decimal.js';
import type { BrakeLimits } from './world.ts';

/** The effect of a write of the program on a listing or an order. */
export interface Written {
  /** The target as an operator sees it: `listing 7`, `order <number>`. */
  readonly target: string;
  readonly archived: boolean;
  /**
   * Buyers could take some units at every moment that the program may have known, and now can take none. Orders meanwhile do
   * not explain it.
   */
  readonly zeroed: boolean;
  /** Buyers can take more than at any moment that the program may have known. */
  readonly increased: boolean;
  readonly rejected: boolean;
  /** The written value. The same value once more counts as the same write. */
  readonly value: string;
  /** null: no price was written. */
  readonly priceAmount: { readonly before: Decimal; readonly after: Decimal } | null;
}

/** I11, judged by the applied writes: beyond the limits, only writes that an operator approved are made. */
export function createBrakeLaw({ archived, zeroed, increased, rejected, pricePercent }: BrakeLimits, broken: string[]) {
  /** By kind and listing: the values written, and how often an operator approved one. */
  const writes = new Map<string, Set<string>>();
  const approvals = new Map<string, number>();
  /** By listing: the price from which the moves of a day are counted, and the approved price. */
  const prices = new Map<string, Decimal>();
  const approvedPrices = new Set<string>();

  const excess = (kind: string): number => {
    let total = 0;
    for (const [name, values] of writes)
      if (name.startsWith(kind)) total += Math.max(0, values.size - (approvals.get(name) ?? 0));
    return total;
  };
  const add = (kind: string, { target, value }: Written, limit: number): void => {
    const name = `${kind} ${target}`;
    writes.set(name, (writes.get(name) ?? new Set()).add(value));
    if (excess(kind) > limit) {
      broken.push(`I11: ${kind} of ${target} is one of ${excess(kind)} that nobody approved, and ${limit} may be`);
    }
  };

  return {
    /** @param after the approved value; a price is `12.50 USD` */
    approved(kind: string, target: string, after: string): void {
      const name = `${kind} ${target}`;
      approvals.set(name, (approvals.get(name) ?? 0) + 1);
      if (kind === 'price') approvedPrices.add(priceName(target, new Decimal(after.split(' ')[0] ?? '')));
    },
    written(write: Written): void {
      if (write.archived) add('archive', write, archived);
      if (write.zeroed) add('zero', write, zeroed);
      if (write.increased) add('increase', write, increased);
      if (write.rejected) add('reject', write, rejected);
      if (write.priceAmount === null) return;
      const { before, after } = write.priceAmount;
      // From an approved price, the price may move again.
      if (approvedPrices.delete(priceName(write.target, after))) return void prices.set(write.target, after);
      const from = prices.get(write.target) ?? before;
      // Somebody took the price away. A price in the place of none has no move that could be measured.
      if (from.isZero()) return void prices.set(write.target, after);
      prices.set(write.target, from);
      const moved = after.minus(from).dividedBy(from).times(100).abs();
      if (moved.greaterThan(pricePercent)) {
        const by = `${moved.toFixed(1)} percent in a day, from ${from.toFixed()} to ${after.toFixed()}`;
        broken.push(`I11: the price of ${write.target} moved by ${by}, and nobody approved it`);
      }
    },
  };
}

function priceName(target: string, amount: Decimal): string {
  return `${target} ${amount.toFixed()}`;
}
