import { type Decimal, ONE } from './decimal.ts';
import { listedOf, type Multiplier } from './units.ts';

/** How a product is sold, for the figures that a person reads. */
export interface SoldBy {
  /** The units in a case; null where nobody says it. */
  readonly multiplier: Multiplier;
  /** The ERP units that a figure of 1 in the marketplace's stock stands for. */
  readonly unitsIn: Decimal;
}

/** ERP units: `240`, or `240 units` where the product is sold by the case. */
export function unitsText(units: Decimal, { multiplier }: Pick<SoldBy, 'multiplier'>): string {
  if (multiplier === null || multiplier.equals(ONE)) return units.toFixed();
  return unitCountText(units.toFixed());
}

/** ERP units, of whatever product: `240 units`, or `1 unit`. */
export function unitCountText(units: string): string {
  return `${units} ${isOne(units) ? 'unit' : 'units'}`;
}

function isOne(figure: string): boolean {
  return /^[-+]?1$/.test(figure);
}

/** The same stock as the marketplace counts it: `240`, `240 units`, or `20 cases of 12`. */
export function listedText(units: Decimal, by: SoldBy): string {
  if (by.unitsIn.equals(ONE)) return unitsText(units, by);
  return casesText(listedOf(units, by.unitsIn), by.unitsIn);
}

export function casesText(cases: Decimal, unitsIn: Decimal): string {
  return `${cases.toFixed()} ${isOne(cases.toFixed()) ? 'case' : 'cases'} of ${unitsIn.toFixed()}`;
}
