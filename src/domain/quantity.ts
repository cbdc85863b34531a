import type { Decimal } from './decimal.ts';

/** Quantities have at most four fraction digits (spec 1, Line item). */
const MAX_FRACTION_DIGITS = 4;
const MAX_QUANTITY = 100_000_000;

export function quantityProblem(quantity: Decimal): string | null {
  if (quantity.lessThan(0)) return `is negative (${quantity.toFixed()})`;
  return magnitudeProblem(quantity);
}

/** Returns why a figure that may be negative is invalid, or null. An ERP's available figure may be negative. */
export function magnitudeProblem(quantity: Decimal): string | null {
  if (!quantity.isFinite()) return `is not a number (${quantity.toFixed()})`;
  if (quantity.decimalPlaces() > MAX_FRACTION_DIGITS) {
    return `has more than ${MAX_FRACTION_DIGITS} fractional digits (${quantity.toFixed()})`;
  }
  if (quantity.abs().gte(MAX_QUANTITY)) return `is not below ${MAX_QUANTITY} (${quantity.toFixed()})`;
  return null;
}
