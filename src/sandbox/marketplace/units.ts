import { Exact } from '../exact.ts';
import type { Settings } from './settings.ts';

/** The part of a listing's stock that the quantity of a line takes. */
export function takenFromStock(
  { lineQuantityIn, stockIn = lineQuantityIn }: Settings,
  quantity: string | number,
  /** Asked only where it is needed: a listing that was deleted has none. */
  multiplier: () => string,
): Exact {
  if (lineQuantityIn === stockIn) return new Exact(quantity);
  const inCase = multiplier();
  return lineQuantityIn === 'cases' ? new Exact(quantity).times(inCase) : new Exact(quantity).dividedBy(inCase);
}

/** The cost of a line before it is rounded to cents. */
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
