import { Exact, ZERO } from '../exact.ts';

export interface Totals {
  readonly subtotal: Exact;
  readonly tax: Exact;
  readonly total: Exact;
}

export interface PricedLine {
  readonly quantity: Exact;
  /** Per sold-in unit. */
  readonly price: Exact;
  readonly salesPrice: Exact;
  readonly unitMultiplier: Exact;
}

/** Amounts in whole currency units, each shown amount rounded to cents, half up. */
export function totals(
  lines: readonly PricedLine[],
  charges: { discount: Exact; shipping: Exact; excisePercent: Exact },
  quantityIn: 'units' | 'cases',
): Totals {
  let subtotal: Exact = ZERO;
  for (const line of lines) {
    const price = line.salesPrice.greaterThan(0) ? line.salesPrice : line.price;
    const soldUnits = quantityIn === 'cases' ? line.quantity : line.quantity.dividedBy(line.unitMultiplier);
    subtotal = subtotal.plus(cents(soldUnits.times(price)));
  }
  const taxed = subtotal.minus(charges.discount).plus(charges.shipping);
  const tax = cents(taxed.times(charges.excisePercent).dividedBy(100));
  return { subtotal, tax, total: taxed.plus(tax) };
}

function cents(amount: Exact): Exact {
  return amount.toDecimalPlaces(2, Exact.ROUND_HALF_UP);
}
