import { Decimal as Base } from 'decimal.js';

/** Exact decimal arithmetic. Build it from text, integers or other decimals, never from a float. */
export const Decimal = Base.clone({ precision: 60, toExpNeg: -40, toExpPos: 60, rounding: Base.ROUND_HALF_UP });
export type Decimal = Base;

declare const terms: unique symbol;

/**
 * A decimal typed by what it counts (`units.ts`). Sums of the same terms keep the type. Any other calculation gives a
 * plain decimal.
 */
export type Figure<Of> = {
  readonly [terms]: Of;
  plus(other: Figure<Of> | number | string): Figure<Of>;
  minus(other: Figure<Of> | number | string): Figure<Of>;
  negated(): Figure<Of>;
  abs(): Figure<Of>;
} & Decimal;

export function figure<Of>(value: Decimal): Figure<Of> {
  return value as Figure<Of>;
}

export const ZERO: Figure<never> = figure(new Decimal(0));
export const ONE: Figure<never> = figure(new Decimal(1));

const DECIMAL_TEXT = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

const MAX_REMEMBERED = 2_000;
/** Decimals are immutable, and the same texts are parsed often. */
const remembered = new Map<string, Decimal>();

/** "-0" becomes 0, because negative zero would pass for a negative quantity. */
export function decimalOf(text: string): Decimal {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const parsed = new Decimal(text);
  const value = parsed.isZero() ? ZERO : parsed;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, value);
  return value;
}

/** Parses a plain decimal ("12", "-3.50", ".5"). Exponents and other texts give null. */
export function parseDecimal(text: string): Decimal | null {
  return text.length > 60 || !DECIMAL_TEXT.test(text) ? null : decimalOf(text);
}

export function figureOf<Of>(text: string): Figure<Of> {
  return figure(decimalOf(text));
}

export function figureOrNull<Of>(text: string | null): Figure<Of> | null {
  return text === null ? null : figureOf(text);
}

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
