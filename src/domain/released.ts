import { Decimal, sum, ZERO } from './decimal.ts';
import type { OrderEvent, Share } from './stock-past.ts';

/**
 * Units that orders gave up before they left: cancelled, rejected or edited while reserved. These units are in the house,
 * whether or not the ERP has released them. Units that were given up after they were consumed may have left.
 * @param heldBeyond the units that the ERP's figure counts for an order beyond the order's own
 */
export function createReleased(heldBeyond: (order: string) => Decimal) {
  const givenUp = new Map<string, Decimal>();
  const of = (order: string): Decimal => Decimal.min(givenUp.get(order) ?? ZERO, heldBeyond(order));
  return {
    of,
    total(): Decimal {
      return sum(givenUp.keys().map(of));
    },
    onOrder({ order, share }: OrderEvent, before: Share | undefined): void {
      const less = (before?.quantity ?? ZERO).minus(share?.quantity ?? ZERO).plus(givenUp.get(order) ?? ZERO);
      if (before?.effect !== 'consumed' && less.greaterThan(0)) givenUp.set(order, less);
      else givenUp.delete(order);
    },
    /** Forgets the released units of orders that are over. */
    forget(isOver: (order: string) => boolean): void {
      for (const order of givenUp.keys()) if (isOver(order) && of(order).isZero()) givenUp.delete(order);
    },
  };
}
