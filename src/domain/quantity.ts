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

export type LineUnit = 'units' | 'cases';

/** A line's quantity in ERP units. `cases` are multiplied by the units per case. null when the units per case are not known. */
export function erpQuantity(quantity: Decimal, unit: LineUnit, unitMultiplier: Decimal | null): Decimal | null {
  if (unit === 'units') return quantity;
  return unitMultiplier === null ? null : quantity.times(unitMultiplier);
}

/**
 * A line's quantity in the marketplace's stock units. A line whose units per case are not known counts in the given unit. The
 * ledger holds the product of such a line.
 * @param ofListing units per case, for a line that does not show them
 */
export function stockQuantity(
  unit: LineUnit,
  line: { readonly quantity: Decimal; readonly unitMultiplier: Decimal | null },
  ofListing?: Decimal | null,
): Decimal {
  return erpQuantity(line.quantity, unit, line.unitMultiplier ?? ofListing ?? null) ?? line.quantity;
}
