import { Decimal as Base } from 'decimal.js';

/** Exact decimal arithmetic. Never built from a float: only from text, integers or other decimals. */
export const Decimal = Base.clone({ precision: 60, toExpNeg: -40, toExpPos: 60, rounding: Base.ROUND_HALF_UP });
export type Decimal = Base;

declare const terms: unique symbol;

/**
 * A decimal that says what it counts (`units.ts`). Sums of figures in the same terms stay in these terms. Every other
 * calculation makes a bare decimal, which fits no figure.
 */
export type Figure<Of> = {
  readonly [terms]: Of;
  plus(other: Figure<Of> | number | string): Figure<Of>;
  minus(other: Figure<Of> | number | string): Figure<Of>;
  negated(): Figure<Of>;
  abs(): Figure<Of>;
} & Decimal;

/** The figure in the terms of the place where it was read, or that it was computed in. */
export function figure<Of>(value: Decimal): Figure<Of> {
  return value as Figure<Of>;
}

/** Nothing is nothing in all terms. */
export const ZERO: Figure<never> = figure(new Decimal(0));
export const ONE: Figure<never> = figure(new Decimal(1));

const DECIMAL_TEXT = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

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

/** The decimal in `text`, or null when it is not a plain decimal number ("12", "-3.50", ".5"). Exponents are refused. */
export function parseDecimal(text: string): Decimal | null {
  return text.length > 60 || !DECIMAL_TEXT.test(text) ? null : decimalOf(text);
}

/** The figure that was kept as `text`. */
export function figureOf<Of>(text: string): Figure<Of> {
  return figure(decimalOf(text));
}

/** The figure that was kept as text, or null where nothing was. */
export function figureOrNull<Of>(text: string | null): Figure<Of> | null {
  return text === null ? null : figureOf(text);
}

/** The decimal that was kept as text, or null where nothing was. */
export function decimalOrNull(text: string | null): Decimal | null {
  return text === null ? null : decimalOf(text);
}

export function sum<Of>(values: Iterable<Figure<Of>>): Figure<Of>;
export function sum(values: Iterable<Decimal>): Decimal;
export function sum(values: Iterable<Decimal>): Decimal {
  let total: Decimal = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}
