import { Exact } from '../exact.ts';
import type { Settings } from './settings.ts';

/** The stock that a line's quantity takes. */
export function takenFromStock(
  { lineQuantityIn, stockIn = lineQuantityIn }: Settings,
  quantity: string | number,
  /** A function, since a deleted listing has none. */
  multiplier: () => string,
): Exact {
  if (lineQuantityIn === stockIn) return new Exact(quantity);
  const inCase = multiplier();
  return lineQuantityIn === 'cases' ? new Exact(quantity).times(inCase) : new Exact(quantity).dividedBy(inCase);
}

/** A line's cost before rounding. */
export function costOfLine(
  { lineQuantityIn, pricePer }: Settings,
  quantity: string,
  price: string,
  multiplier: string,
) {
  const cost = new Exact(quantity).times(price);
  if (lineQuantityIn === `${pricePer}s`) return cost;
  return lineQuantityIn === 'units' ? cost.dividedBy(multiplier) : cost.times(multiplier);
}
