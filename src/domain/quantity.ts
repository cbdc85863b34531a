import type { Decimal } from './decimal.ts';

/** Quantities carry at most four fractional digits (spec 1, Line item). */
const MAX_FRACTION_DIGITS = 4;
const MAX_QUANTITY = 100_000_000;

/** Why a quantity cannot be used, or null when it can. */
export function quantityProblem(quantity: Decimal): string | null {
  if (quantity.lessThan(0)) return `is negative (${quantity.toFixed()})`;
  return magnitudeProblem(quantity);
}

/** Why a figure that may be below zero cannot be used, or null when it can. The ERP's available figure may be below zero. */
export function magnitudeProblem(quantity: Decimal): string | null {
  if (!quantity.isFinite()) return `is not a number (${quantity.toFixed()})`;
  if (quantity.decimalPlaces() > MAX_FRACTION_DIGITS) {
    return `has more than ${MAX_FRACTION_DIGITS} fractional digits (${quantity.toFixed()})`;
  }
  if (quantity.abs().gte(MAX_QUANTITY)) return `is not below ${MAX_QUANTITY} (${quantity.toFixed()})`;
  return null;
}
