import type { Cause, Code, ParamsOf } from './causes/cause.ts';
import type { Decimal } from './decimal.ts';
import { inCurrency } from './money-text.ts';
import type { MarketplaceOrder, OrderLine } from './order.ts';
import { quantityProblem } from './quantity.ts';
import { soldPrice } from './totals.ts';

/**
 * Limits of plausible business. An entity beyond them is probably a mistake, and is held before it is created on the
 * other side. An order worth nothing is plausible: a sample, or a full discount.
 */
export interface Limit<Read> {
  readonly code: Code;
  /** Returns the cause's parameters if the entity is beyond the limit, otherwise null. */
  readonly when: (read: Read) => object | null;
}

export interface ReadOrder {
  readonly order: Pick<MarketplaceOrder, 'number' | 'discountAmount' | 'discountPercent' | 'shippingAmount' | 'total'>;
  readonly lines: readonly OrderLine[];
  readonly currency: string;
  /** The selling company. null: the order does not show it. */
  readonly seller: number | null;
  readonly ownSeller: number;
  readonly total: Decimal;
}

export interface ReadErpOrder {
  readonly id: string;
  readonly lines: readonly { readonly sku: string; readonly quantity: Decimal; readonly unitPrice: Decimal }[];
  readonly discount: Decimal;
  readonly shipping: Decimal;
  readonly total: Decimal;
  readonly currency: string;
}

/** Spec 1, Order: a UUID. Any number is accepted that is safe in a URL path. */
export const ORDER_NUMBER = /^[A-Za-z0-9][\w-]{0,63}$/;

export const ORDER_LIMITS: readonly Limit<ReadOrder>[] = [
  limit('order-number-unfit', ({ order: { number } }) => (ORDER_NUMBER.test(number) ? null : { order: number })),
  limit('order-of-another-seller', ({ order: { number }, seller, ownSeller }) =>
    seller === null || seller === ownSeller ? null : { order: number, seller: String(seller), ours: String(ownSeller) },
  ),
  limit('order-empty', ({ order: { number }, lines }) => (lines.length === 0 ? { order: number } : null)),
  limit('line-quantity', ({ order: { number }, lines }) => {
    const line = lines.find(({ quantity }) => quantity.isZero());
    return line === undefined ? null : { order: number, line: String(line.id), problem: 'is zero' };
  }),
  limit('line-price-negative', ({ order: { number }, lines }) => {
    const line = lines.find((one) => soldPrice(one).amount.lessThan(0));
    return line === undefined ? null : { order: number, line: String(line.id), price: priceText(soldPrice(line)) };
  }),
  limit('order-charge-negative', ({ order: { number, discountAmount, discountPercent, shippingAmount }, currency }) =>
    discountPercent?.lessThan(0)
      ? { order: number, charge: 'discount', amount: `${discountPercent.toFixed()} percent` }
      : negativeCharge(number, { discount: discountAmount, shipping: shippingAmount }, currency),
  ),
  limit('order-total-negative', ({ order: { number, total: shown }, total, currency }) =>
    negativeTotal(number, [total, shown], currency),
  ),
];

export const ERP_ORDER_LIMITS: readonly Limit<ReadErpOrder>[] = [
  limit('erp-order-empty', ({ id, lines }) => (lines.length === 0 ? { erpOrder: id } : null)),
  limit('line-quantity', ({ id, lines }) => {
    const line = lines.find(({ quantity }) => quantity.lessThanOrEqualTo(0));
    const problem = line === undefined ? null : (quantityProblem(line.quantity) ?? 'is zero');
    return line === undefined || problem === null ? null : { order: id, line: line.sku, problem };
  }),
  limit('line-price', ({ id, lines, currency }) => {
    const line = lines.find(({ unitPrice }) => unitPrice.lessThan(0));
    return line === undefined
      ? null
      : { order: id, line: line.sku, price: inCurrency(line.unitPrice, currency), negative: true };
  }),
  limit('order-charge-negative', ({ id, discount, shipping, currency }) =>
    negativeCharge(id, { discount, shipping }, currency),
  ),
  limit('order-total-negative', ({ id, lines, discount, shipping, total, currency }) => {
    const worth = lines.reduce((sum, { quantity, unitPrice }) => sum.plus(quantity.times(unitPrice)), shipping);
    return negativeTotal(id, [worth.minus(discount), total], currency);
  }),
];

interface Price {
  readonly amount: Decimal;
  readonly currency: string;
}

const priceText = ({ amount, currency }: Price) => inCurrency(amount, currency);

export const PRODUCT_LIMITS: readonly Limit<{ readonly sku: string; readonly price: Price }>[] = [
  limit('price-not-positive', ({ sku, price }) =>
    price.amount.greaterThan(0) ? null : { sku, price: priceText(price) },
  ),
  // The marketplace stores cents.
  limit('price-too-small', ({ sku, price }) =>
    price.amount.toDecimalPlaces(2).isZero() ? { sku, price: priceText(price) } : null,
  ),
];

export interface ReadListing {
  readonly listing: number;
  readonly sku: string;
  readonly price: Price | null;
  readonly unitMultiplier: Decimal | null;
}

export const LISTING_LIMITS: readonly Limit<ReadListing>[] = [
  limit('listing-sku-empty', ({ listing, sku }) => (sku.trim() === '' ? { listing } : null)),
  limit('listing-price-not-positive', ({ listing, sku, price }) =>
    price === null || price.amount.greaterThan(0) ? null : { listing, sku, price: priceText(price) },
  ),
  limit('listing-multiplier', ({ listing, sku, unitMultiplier }) =>
    unitMultiplier === null || unitMultiplier.greaterThan(0)
      ? null
      : { listing, sku, multiplier: unitMultiplier.toFixed() },
  ),
];

const WHOLE_PRICE_PERCENT = 100;

export const CUSTOMER_LIMITS: readonly Limit<{ readonly discountPercent: Decimal | null }>[] = [
  limit('customer-field', ({ discountPercent }) =>
    discountPercent === null || discountPercent.lessThanOrEqualTo(WHOLE_PRICE_PERCENT)
      ? null
      : { field: 'discount percent', value: discountPercent.toFixed(), problem: 'it takes more than the whole price' },
  ),
];

export function beyondLimits<Read>(limits: readonly Limit<Read>[], read: Read): Cause | null {
  for (const { code, when } of limits) {
    const params = when(read);
    if (params !== null) return { code, params } as Cause;
  }
  return null;
}

function limit<Name extends Code, Read>(code: Name, when: (read: Read) => ParamsOf<Name> | null): Limit<Read> {
  return { code, when };
}

function negativeCharge(order: string, charges: Readonly<Record<string, Decimal | null>>, currency: string) {
  for (const [charge, amount] of Object.entries(charges)) {
    if (amount?.lessThan(0)) return { order, charge, amount: inCurrency(amount, currency) };
  }
  return null;
}

function negativeTotal(order: string, totals: readonly (Decimal | null)[], currency: string) {
  const total = totals.find((amount) => amount?.lessThan(0));
  return total == null ? null : { order, total: inCurrency(total, currency) };
}
