import { Decimal as Base } from 'decimal.js';

/** Exact decimal arithmetic. Never built from a float: only from text, integers or other decimals. */
export const Decimal = Base.clone({ precision: 60, toExpNeg: -40, toExpPos: 60, rounding: Base.ROUND_HALF_UP });
export type Decimal = Base;

export const ZERO: Decimal = new Decimal(0);

const DECIMAL_TEXT = /^-?\d+(?:\.\d+)?$/;

const MAX_REMEMBERED = 2_000;
/** The same few prices and quantities are read again and again, and a decimal never changes: each text is parsed once. */
const remembered = new Map<string, Decimal>();

/** The decimal that was kept as `text`. "-0" is 0: a negative zero would pass for a negative quantity. */
export function decimalOf(text: string): Decimal {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const parsed = new Decimal(text);
  const value = parsed.isZero() ? ZERO : parsed;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, value);
  return value;
}

/** The decimal in `text`, or null when it is not a plain decimal number ("12", "-3.50"). Exponents are refused. */
export function parseDecimal(text: string): Decimal | null {
  return text.length > 60 || !DECIMAL_TEXT.test(text) ? null : decimalOf(text);
}

/** The decimal that was kept as text, or null where nothing was. */
export function decimalOrNull(text: string | null): Decimal | null {
  return text === null ? null : decimalOf(text);
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}
