import { type Decimal, sum, ZERO } from './decimal.ts';
import type { Money } from './money.ts';
import type { OrderLine } from './order.ts';
import type { LineUnit } from './quantity.ts';

/** Spec 1, Tax rule: added to California orders by default, after all discounts and shipping. */
export interface ExciseRule {
  readonly ratePercent: Decimal;
  readonly applies: 'california' | 'always' | 'never';
}

export interface OrderTotals {
  readonly lines: Decimal;
  readonly discount: Decimal;
  readonly shipping: Decimal;
  /** Rounded half up to cents, as money is charged. */
  readonly tax: Decimal;
  readonly total: Decimal;
}

/** The price a line was sold at, per sold-in unit: the discounted one where it is greater than 0.00. */
export function soldPrice(line: Pick<OrderLine, 'orderedUnitPrice' | 'salesPrice'>): Money {
  return line.salesPrice !== null && line.salesPrice.amount.greaterThan(ZERO) ? line.salesPrice : line.orderedUnitPrice;
}

/** The cost of a line. Prices are per sold-in unit (case), so singles are divided by the units per case. */
function lineAmount(line: OrderLine, unit: LineUnit): Decimal {
  const amount = line.quantity.times(soldPrice(line).amount);
  return unit === 'units' ? amount.dividedBy(line.unitMultiplier ?? 1) : amount;
}

export function orderTotals(
  order: {
    readonly lines: readonly OrderLine[];
    readonly discountAmount: Decimal;
    readonly shippingAmount: Decimal | null;
    readonly deliveryState: string | null;
  },
  unit: LineUnit,
  excise: ExciseRule,
): OrderTotals {
  // Each line is rounded half up to cents by itself.
  const lines = sum(order.lines.map((line) => lineAmount(line, unit).toDecimalPlaces(2)));
  const shipping = order.shippingAmount ?? ZERO;
  const base = lines.minus(order.discountAmount).plus(shipping);
  const tax =
    base.greaterThan(0) && isTaxed(order.deliveryState, excise)
      ? base.times(excise.ratePercent).dividedBy(100).toDecimalPlaces(2)
      : ZERO;
  return { lines, discount: order.discountAmount, shipping, tax, total: base.plus(tax) };
}

/** The tax depends on a state that nobody knows. */
export function isTaxUnknown(state: string | null, { applies, ratePercent }: ExciseRule): boolean {
  return applies === 'california' && state === null && ratePercent.greaterThan(0);
}

function isTaxed(state: string | null, excise: ExciseRule): boolean {
  if (excise.applies !== 'california') return excise.applies === 'always';
  return state !== null && ['CA', 'CALIFORNIA'].includes(state.trim().toUpperCase());
}
