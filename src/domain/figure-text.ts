import { type Decimal, ONE } from './decimal.ts';
import { listedOf, type Multiplier } from './units.ts';

export interface SoldBy {
  /** Units per case. null: unknown. */
  readonly multiplier: Multiplier;
  /** ERP units per 1 of the marketplace's stock figure. */
  readonly unitsIn: Decimal;
}

/** `240`, or `240 units` if the product is sold by the case. */
export function unitsText(units: Decimal, { multiplier }: Pick<SoldBy, 'multiplier'>): string {
  if (multiplier === null || multiplier.equals(ONE)) return units.toFixed();
  return unitCountText(units.toFixed());
}

/** `240 units`, `1 unit`. */
export function unitCountText(units: string): string {
  return `${units} ${isOne(units) ? 'unit' : 'units'}`;
}

function isOne(figure: string): boolean {
  return /^[-+]?1$/.test(figure);
}

/** The stock as the marketplace counts it: `240`, `240 units`, or `20 cases of 12`. */
export function listedText(units: Decimal, by: SoldBy): string {
  if (by.unitsIn.equals(ONE)) return unitsText(units, by);
  return casesText(listedOf(units, by.unitsIn), by.unitsIn);
}

export function casesText(cases: Decimal, unitsIn: Decimal): string {
  return `${cases.toFixed()} ${isOne(cases.toFixed()) ? 'case' : 'cases'} of ${unitsIn.toFixed()}`;
}
