import { Decimal as Base } from 'decimal.js';

/** Exact decimal arithmetic. Never built from a float: only from text, integers or other decimals. */
export const Decimal = Base.clone({ precision: 60, toExpNeg: -40, toExpPos: 60, rounding: Base.ROUND_HALF_UP });
export type Decimal = Base;

export const ZERO: Decimal = new Decimal(0);

const DECIMAL_TEXT = /^-?\d+(?:\.\d+)?$/;

/**
 * The decimal in `text`, or null when it is not a plain decimal number ("12", "-3.50"). Exponents are refused. "-0" is 0:
 * a negative zero would pass for a negative quantity.
 */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > 60 || !DECIMAL_TEXT.test(text)) return null;
  const value = new Decimal(text);
  return value.isZero() ? ZERO : value;
}

/** The decimal that was kept as text, or null where nothing was. */
export function decimalOrNull(text: string | null): Decimal | null {
  return text === null ? null : new Decimal(text);
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}
