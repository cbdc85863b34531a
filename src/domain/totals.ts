import { Decimal, sum, ZERO } from './decimal.ts';
import type { MarketplaceOrder, OrderLine } from './order.ts';
import { lineAmount, type Price, type Units } from './units.ts';

/** Spec 1, Tax rule: added to California orders by default, after all discounts and shipping. */
export interface ExciseRule {
  readonly ratePercent: Decimal;
  readonly applies: 'california' | 'always' | 'never';
}

export interface OrderTotals {
  readonly lines: Decimal;
  readonly discount: Decimal;
  readonly shipping: Decimal;
  /** Rounded half up to cents, as money is charged. 0 where it is not known. */
  readonly tax: Decimal;
  /** false: the tax depends on a state that nobody shows, and the figures of the order do not tell it either. */
  readonly isTaxKnown: boolean;
  readonly total: Decimal;
}

/** The price at which a line was sold: the discounted one where it is greater than 0.00. */
export function soldPrice(line: Pick<OrderLine, 'orderedUnitPrice' | 'salesPrice'>): Price<'marketplace price'> {
  return line.salesPrice !== null && line.salesPrice.amount.greaterThan(ZERO) ? line.salesPrice : line.orderedUnitPrice;
}

const CENT = new Decimal('0.01');

/** The most that rounding moves the total of an order: a cent for each line, and one for the tax. */
export function mostRounding(lines: readonly unknown[]): Decimal {
  return CENT.times(lines.length + 1);
}

type Taxable = Pick<
  MarketplaceOrder,
  'discountAmount' | 'discountPercent' | 'shippingAmount' | 'taxAmount' | 'total' | 'deliveryState'
> & {
  readonly lines: readonly OrderLine[];
};

/** The amount that is taken off lines of this worth. A percentage is rounded half up to cents. */
export function discountOf(
  { discountAmount, discountPercent }: Pick<MarketplaceOrder, 'discountAmount' | 'discountPercent'>,
  worth: Decimal,
): Decimal {
  return discountPercent === undefined
    ? discountAmount
    : worth.times(discountPercent).dividedBy(100).toDecimalPlaces(2);
}

export function orderTotals(order: Taxable, units: Units, excise: ExciseRule): OrderTotals {
  // Each line is rounded half up to cents by itself.
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
 * Does the tax apply to an order? Where no state is shown, the figures that the marketplace shows tell it. null: they do not
 * either.
 * @param amounts the amount before the tax, and the tax if it applies
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
