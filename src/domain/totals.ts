import { Decimal, sum, ZERO } from './decimal.ts';
import type { MarketplaceOrder, OrderLine } from './order.ts';
import { lineAmount, type Price, type Units } from './units.ts';

/** Spec 1, Tax rule: by default added to California orders, after discounts and shipping. */
export interface ExciseRule {
  readonly ratePercent: Decimal;
  readonly applies: 'california' | 'always' | 'never';
}

export interface OrderTotals {
  readonly lines: Decimal;
  readonly discount: Decimal;
  readonly shipping: Decimal;
  /** Rounded half up to cents. 0 if unknown. */
  readonly tax: Decimal;
  /** False if the tax depends on a state that is not shown, and the order's amounts do not reveal it. */
  readonly isTaxKnown: boolean;
  readonly total: Decimal;
}

/** The price at which a line was sold: the discounted one if above 0.00. */
export function soldPrice(line: Pick<OrderLine, 'orderedUnitPrice' | 'salesPrice'>): Price<'marketplace price'> {
  return line.salesPrice !== null && line.salesPrice.amount.greaterThan(ZERO) ? line.salesPrice : line.orderedUnitPrice;
}

const CENT = new Decimal('0.01');

/** The largest rounding difference of an order's total: a cent for each line, and one for the tax. */
export function mostRounding(lines: readonly unknown[]): Decimal {
  return CENT.times(lines.length + 1);
}

type Taxable = Pick<
  MarketplaceOrder,
  'discountAmount' | 'discountPercent' | 'shippingAmount' | 'taxAmount' | 'total' | 'deliveryState'
> & {
  readonly lines: readonly OrderLine[];
};

/** A percentage is rounded half up to cents. */
export function discountOf(
  { discountAmount, discountPercent }: Pick<MarketplaceOrder, 'discountAmount' | 'discountPercent'>,
  worth: Decimal,
): Decimal {
  return discountPercent === undefined
    ? discountAmount
    : worth.times(discountPercent).dividedBy(100).toDecimalPlaces(2);
}

export function orderTotals(order: Taxable, units: Units, excise: ExciseRule): OrderTotals {
  // Each line is rounded half up to cents.
  const cost = (line: OrderLine) => lineAmount(units, line.quantity, soldPrice(line).amount, line.unitMultiplier);
  const lines = sum(order.lines.map((line) => cost(line).toDecimalPlaces(2)));
  const shipping = order.shippingAmount ?? ZERO;
  const discount = discountOf(order, lines);
  const base = lines.minus(discount).plus(shipping);
  const due = base.greaterThan(0) ? base.times(excise.ratePercent).dividedBy(100).toDecimalPlaces(2) : ZERO;
  const isDue = due.isZero() ? false : isTaxed(order, { base, due }, excise);
  const tax = isDue === true ? due : ZERO;
  return { lines, discount, shipping, tax, isTaxKnown: isDue !== null, total: base.plus(tax) };
}

/** As people write it, and by ISO 3166-2. */
const CALIFORNIA = /^(?:(?:US-)?CA|California)$/i;

/**
 * Returns whether the tax applies. Without a state, the marketplace's own amounts decide. null: they do not decide
 * either.
 * @param amounts the amount before tax, and the tax if it applies
 */
function isTaxed(
  { deliveryState: state, taxAmount, total }: Taxable,
  { base, due }: { readonly base: Decimal; readonly due: Decimal },
  { applies }: ExciseRule,
): boolean | null {
  if (applies !== 'california') return applies === 'always';
  if (state !== null) return CALIFORNIA.test(state.trim());
  if (taxAmount !== null) return taxAmount.greaterThan(0);
  if (total?.equals(base)) return false;
  return total?.equals(base.plus(due)) ? true : null;
}
