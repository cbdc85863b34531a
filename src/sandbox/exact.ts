import { Decimal as Base } from 'decimal.js';

export const Exact = Base.clone({ precision: 60, toExpNeg: -40, toExpPos: 60, rounding: Base.ROUND_HALF_UP });
export type Exact = Base;

export const ZERO: Exact = new Exact(0);

/** Spec 1: a line's quantity is a string with 4 decimals. */
export function fourDecimals(value: Exact): string {
  return value.toFixed(4);
}
