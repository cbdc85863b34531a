import { Decimal } from 'decimal.js';
import type { BrakeLimits } from './world.ts';

/** What a listing showed before and after a write of the program. */
export interface Written {
  readonly id: number;
  readonly sku: string;
  readonly archived: boolean;
  /** Buyers could take some for as long as the program can have known of, and now can take none, whoever ordered meanwhile. */
  readonly zeroed: boolean;
  /** What was written; the same once more is the same write. */
  readonly value: string;
  /** null: no price was written. */
  readonly priceAmount: { readonly before: Decimal; readonly after: Decimal } | null;
}

/** I11, judged from what was applied: beyond its limits, only what an operator approved is written. */
export function createBrakeLaw({ archived, zeroed, pricePercent }: BrakeLimits, broken: string[]) {
  /** By kind and listing: the values written, and how often an operator approved one. */
  const writes = new Map<string, Set<string>>();
  const approvals = new Map<string, number>();
  /** By listing: what a day's moves are counted from, and what an operator approved. */
  const prices = new Map<number, Decimal>();
  const approvedPrices = new Set<string>();

  const excess = (kind: string): number => {
    let total = 0;
    for (const [name, values] of writes)
      if (name.startsWith(kind)) total += Math.max(0, values.size - (approvals.get(name) ?? 0));
    return total;
  };
  const add = (kind: string, { id, value, sku }: Written, limit: number): void => {
    const name = `${kind} ${id}`;
    writes.set(name, (writes.get(name) ?? new Set()).add(value));
    if (excess(kind) > limit) {
      broken.push(`I11: ${kind} of ${sku} is one of ${excess(kind)} that nobody approved, and ${limit} may be`);
    }
  };

  return {
    /** @param after what was approved: of a price, `12.50 USD` */
    approved(kind: string, id: number, after: string): void {
      const name = `${kind} ${id}`;
      approvals.set(name, (approvals.get(name) ?? 0) + 1);
      if (kind === 'price') approvedPrices.add(priceName(id, new Decimal(after.split(' ')[0] ?? '')));
    },
    written(write: Written): void {
      if (write.archived) add('archive', write, archived);
      if (write.zeroed) add('zero', write, zeroed);
      if (write.priceAmount === null) return;
      const { before, after } = write.priceAmount;
      // From what was approved, it may move again.
      if (approvedPrices.delete(priceName(write.id, after))) return void prices.set(write.id, after);
      const from = prices.get(write.id) ?? before;
      prices.set(write.id, from);
      const moved = after.minus(from).dividedBy(from).times(100).abs();
      if (moved.greaterThan(pricePercent)) {
        const by = `${moved.toFixed(1)} percent in a day, from ${from.toFixed()} to ${after.toFixed()}`;
        broken.push(`I11: the price of ${write.sku} moved by ${by}, and nobody approved it`);
      }
    },
  };
}

function priceName(id: number, amount: Decimal): string {
  return `${id} ${amount.toFixed()}`;
}
