import { Decimal, parseDecimal } from '../domain/decimal.ts';

/** Exact arithmetic over decimals as text and whole numbers. A missing operand makes the result missing. */
export const FIGURES: Readonly<Record<string, (...parts: unknown[]) => unknown>> = {
  /** `$plus("1.10", 2)` is "3.1". */
  plus: (a, b) => both(a, b, (one, other) => textOf(one.plus(other))),
  minus: (a, b) => both(a, b, (one, other) => textOf(one.minus(other))),
  times: (a, b) => both(a, b, (one, other) => textOf(one.times(other))),
  /** `$divide("1", "3", 4)` is "0.3333", rounded half up. */
  divide: (a, b, places) =>
    both(a, b, (one, other) => {
      if (other.isZero()) throw new Error('$divide: division by zero');
      return textOf(one.dividedBy(other).toDecimalPlaces(placesOf(places, '$divide')));
    }),
  /** `$rounded("1.005", 2)` is "1.01": half up. */
  rounded: (a, places) => both(a, 0, (one) => textOf(one.toDecimalPlaces(placesOf(places, '$rounded')))),
  /** The sum of a list; 0 for an empty list. */
  total(list) {
    if (list === undefined || list === null) return undefined;
    const parts = Array.isArray(list) ? list : [list];
    return textOf(parts.map(figureOf).reduce((sum, part) => sum.plus(part), new Decimal(0)));
  },
  /** A JSON number with these digits in the body of a request. */
  exact: (a) => both(a, 0, (one) => ({ $number: textOf(one) })),
  /** -1, 0 or 1. */
  compare: (a, b) => both(a, b, (one, other) => one.comparedTo(other)),
};

function both<T>(a: unknown, b: unknown, of: (one: Decimal, other: Decimal) => T): T | undefined {
  if (a === undefined || a === null || b === undefined || b === null) return undefined;
  return of(figureOf(a), figureOf(b));
}

function figureOf(value: unknown): Decimal {
  const exact = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  const parsed = typeof exact === 'string' ? parseDecimal(exact) : null;
  if (parsed === null) throw new Error(`${JSON.stringify(value)} is no decimal`);
  return parsed;
}

function placesOf(places: unknown, name: string): number {
  if (typeof places === 'number' && Number.isInteger(places) && places >= 0 && places <= 15) return places;
  throw new Error(`${name} needs a number of places from 0 to 15`);
}

const textOf = (value: Decimal): string => value.toFixed();
