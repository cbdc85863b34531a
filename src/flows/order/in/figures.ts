import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type Decimal, sum } from '../../../domain/decimal.ts';
import type { Miscounted } from '../../../domain/miscounted.ts';
import { amountsText, inCurrency } from '../../../domain/money-text.ts';
import type { MarketplaceOrder } from '../../../domain/order.ts';
import { mostRounding, type OrderTotals } from '../../../domain/totals.ts';
import type { Counted } from '../../../domain/units.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';

export interface DifferentTotals {
  readonly totals: OrderTotals;
  readonly miscounted: Miscounted & { readonly other: Counted };
}

/**
 * Checks the marketplace's tax against the rules, and its total against its parts. A difference raises an alert.
 * @param totals computed from the marketplace's prices
 * @param otherwise with lines counted in cases instead of units, or the reverse; null: no difference
 */
export function figureAlerts(
  order: MarketplaceOrder,
  totals: OrderTotals,
  otherwise: DifferentTotals | null,
  currency: string,
): Cause[] {
  const money = (amount: Decimal) => inCurrency(amount, currency);
  return [...taxAlerts(order, totals, money), ...totalAlerts(order, totals, otherwise, money)];
}

type Money = (amount: Decimal) => string;

function taxAlerts({ number, taxAmount }: MarketplaceOrder, { tax }: OrderTotals, money: Money): Cause[] {
  if (taxAmount === null || taxAmount.equals(tax)) return [];
  const figures = { ours: money(tax), theirs: money(taxAmount), by: money(taxAmount.minus(tax)) };
  return [cause('figure-differs', { order: number, figure: 'tax', ...figures })];
}

function totalAlerts(
  order: MarketplaceOrder,
  { lines, discount, shipping, tax, isTaxKnown }: OrderTotals,
  otherwise: DifferentTotals | null,
  money: Money,
): Cause[] {
  const { number, shippingAmount, taxAmount, total } = order;
  const charged = taxAmount ?? tax;
  const parts = lines.minus(discount).plus(shipping).plus(charged);
  if (total === null || total.equals(parts)) return [];
  const shown = [
    `lines ${money(lines)}`,
    `discount ${money(discount)}`,
    shippingAmount === null ? 'shipping not shown' : `shipping ${money(shipping)}`,
    `tax ${taxText(order, money(charged), isTaxKnown)}`,
  ].join(', ');
  const figures = { total: money(total), by: money(total.minus(parts)), parts: shown };
  const miscounted = otherwise !== null && fits(order, otherwise) ? otherwise.miscounted : null;
  return [cause('total-differs', { order: number, ...figures, miscounted })];
}

function fits({ total, taxAmount }: MarketplaceOrder, { totals }: DifferentTotals): boolean {
  const { lines, discount, shipping, tax } = totals;
  return (
    total?.equals(
      lines
        .minus(discount)
        .plus(shipping)
        .plus(taxAmount ?? tax),
    ) === true
  );
}

function taxText({ taxAmount }: MarketplaceOrder, charged: string, isKnown: boolean): string {
  if (!isKnown) return 'not known';
  return taxAmount === null ? `${charged} by the rules` : charged;
}

/** Checks the total of an ERP-made order against its parts, within rounding. */
export function erpTotalAlerts({ id, lines, discount, shipping, tax, total, currency }: StoredErpOrder): Cause[] {
  const worth = sum(lines.map(({ quantity, unitPrice }) => quantity.times(unitPrice)));
  const by = total.minus(worth.minus(discount).plus(shipping).plus(tax));
  if (by.abs().lessThanOrEqualTo(mostRounding(lines))) return [];
  const money = (amount: Decimal) => inCurrency(amount, currency);
  const parts = amountsText({ lines: worth, discount, shipping, tax }, currency);
  return [cause('erp-total-differs', { erpOrder: id, total: money(total), by: money(by), parts })];
}
