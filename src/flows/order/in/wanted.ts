import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type Decimal, decimalOf, decimalOrNull } from '../../../domain/decimal.ts';
import type { AgreedPrice } from '../../../domain/order-base.ts';
import { erpQuantity, type LineUnit, quantityProblem } from '../../../domain/quantity.ts';
import { type ExciseRule, isTaxUnknown, orderTotals, soldPrice } from '../../../domain/totals.ts';
import type { Capabilities } from '../../../erp/capabilities.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';

/** A line's product as far as it is known: its SKU in the ERP, or the listing's name for it. */
export interface KnownProduct {
  readonly sku: string | null;
  readonly listingSku: string | null;
  readonly listingName: string | null;
  readonly unitMultiplier: Decimal | null;
}

/** The content that the ERP's order should have, or why that is not known. */
export type WantedOrder =
  | {
      readonly lines: readonly ErpOrderLine[];
      readonly discount: Decimal;
      readonly shipping: Decimal;
      readonly tax: Decimal;
      readonly total: Decimal;
      /** The price of each of these lines. */
      readonly prices: readonly AgreedPrice[];
      /** The lines that the marketplace shows at another price than the agreed one. */
      readonly moved: readonly PriceMove[];
      readonly alerts: readonly Cause[];
    }
  | { readonly problem: Cause };

/** Prices per ERP unit. */
export interface PriceMove {
  readonly line: number;
  readonly sku: string;
  readonly agreed: Decimal;
  readonly shown: Decimal;
}

export interface WantedRules {
  /** `agreed`: a line keeps the price at which it was exported. `follow`: a line has the price that the marketplace shows. */
  readonly prices: 'agreed' | 'follow';
  /** The prices at which lines were exported, by the id of the line. */
  readonly agreed: ReadonlyMap<number, AgreedPrice>;
  readonly unit: LineUnit;
  readonly excise: ExciseRule;
  readonly currency: string;
  readonly onUnmappedProduct: 'hold' | 'create' | 'pass';
  /** The most digits that the ERP can hold. */
  readonly decimals: Capabilities['decimals'];
  /** The ERP takes the key of each line and the units in a case. */
  readonly orderDetails: boolean;
}

/** ERP prices are per unit, the marketplace's per sold-in unit. A quotient may have endless digits, so it is cut to ten. */
const UNIT_PRICE_DIGITS = 10;

export function wantedOrder(
  { order, lines }: Pick<StoredOrder, 'order' | 'lines'>,
  products: ReadonlyMap<number, KnownProduct>,
  rules: WantedRules,
): WantedOrder {
  if (lines === null) return { problem: cause('order-unread', { order: order.number }) };
  const priced = lines.map((line) => pricedLine(line, products.get(line.productId) ?? null, rules));
  const erpLines: ErpOrderLine[] = [];
  for (const line of priced) {
    const at = { order: order.number, line: String(line.id) };
    const made = wantedLine(line, at, products.get(line.productId) ?? null, rules);
    if ('code' in made) return { problem: made };
    erpLines.push(made);
  }
  const moved = lines.flatMap((line, at) => priceMove(line, erpLines[at]?.sku ?? '', products, rules));
  const prices = priced.map(({ id, orderedUnitPrice: { amount }, unitMultiplier }) => ({
    line: id,
    price: amount.toFixed(),
    unitMultiplier: unitMultiplier?.toFixed() ?? null,
  }));
  const { discount, shipping, tax, total } = orderTotals({ ...order, lines: priced }, rules.unit, rules.excise);
  // The marketplace's own figures belong to the prices that it shows now.
  const differing = moved.length > 0 && rules.prices === 'agreed' ? [] : totalAlerts(order, tax, total);
  const alerts = [...taxAlerts(order, total, rules.excise), ...differing];
  return { lines: erpLines, discount, shipping, tax, total, prices, moved, alerts };
}

/** The line at the price that counts: the agreed price where it is to be kept, else the price of the sale. */
function pricedLine(line: Line, product: KnownProduct | null, { prices, agreed }: WantedRules): Line {
  const known = prices === 'agreed' ? agreed.get(line.id) : undefined;
  const { currency } = soldPrice(line);
  if (known === undefined) {
    return {
      ...line,
      orderedUnitPrice: soldPrice(line),
      salesPrice: null,
      unitMultiplier: multiplierOf(line, product),
    };
  }
  const orderedUnitPrice = { amount: decimalOf(known.price), currency };
  return { ...line, orderedUnitPrice, salesPrice: null, unitMultiplier: decimalOrNull(known.unitMultiplier) };
}

function priceMove(
  line: Line,
  sku: string,
  products: ReadonlyMap<number, KnownProduct>,
  rules: WantedRules,
): PriceMove[] {
  const known = rules.agreed.get(line.id);
  if (known === undefined) return [];
  const agreed = unitPriceOf(decimalOf(known.price), decimalOrNull(known.unitMultiplier));
  const shown = unitPriceOf(soldPrice(line).amount, multiplierOf(line, products.get(line.productId)));
  return shown.equals(agreed) ? [] : [{ line: line.id, sku, agreed, shown }];
}

/** The price per ERP unit for a price per sold-in unit. */
export function unitPriceOf(price: Decimal, unitMultiplier: Decimal | null): Decimal {
  return price.dividedBy(unitMultiplier?.greaterThan(0) ? unitMultiplier : 1).toDecimalPlaces(UNIT_PRICE_DIGITS);
}

type Line = NonNullable<StoredOrder['lines']>[number];
interface At {
  readonly order: string;
  readonly line: string;
}

function multiplierOf(line: Line, product: KnownProduct | undefined | null): Decimal | null {
  return line.unitMultiplier ?? product?.unitMultiplier ?? null;
}

function wantedLine(line: Line, at: At, product: KnownProduct | null, rules: WantedRules): ErpOrderLine | Cause {
  const problem = quantityProblem(line.quantity);
  if (problem !== null) return cause('line-quantity', { ...at, problem });
  const price = line.orderedUnitPrice;
  if (price.currency !== rules.currency) {
    return cause('line-currency', { ...at, shown: price.currency, wanted: rules.currency });
  }
  const multiplier = line.unitMultiplier;
  const quantity = erpQuantity(line.quantity, rules.unit, multiplier);
  if (quantity === null) return cause('line-cases-unknown', at);
  if (multiplier?.lessThanOrEqualTo(0)) return cause('line-multiplier', { ...at, multiplier: multiplier.toFixed() });
  const inUnits = quantityProblem(quantity);
  if (inUnits !== null) return cause('line-quantity', { ...at, problem: `in ERP units ${inUnits}` });
  const most = rules.decimals;
  if (most.quantity !== null && quantity.decimalPlaces() > most.quantity) {
    return cause('line-quantity-finer', { ...at, quantity: quantity.toFixed(), decimals: most.quantity });
  }
  const exact = unitPriceOf(price.amount, multiplier);
  const unitPrice = most.price === null ? exact : exact.toDecimalPlaces(most.price);
  const details = rules.orderDetails ? detailsOf(line) : {};
  if (product?.sku != null) return { sku: product.sku, quantity, unitPrice, ...details };
  const unknown = { ...at, product: line.productId };
  const sku = product?.listingSku ?? null;
  if (rules.onUnmappedProduct === 'create' && sku !== null) return cause('product-made-first', { ...unknown, sku });
  if (rules.onUnmappedProduct !== 'pass') return cause('product-unlinked', { ...unknown, sku });
  return {
    sku: sku ?? `marketplace-${line.productId}`,
    quantity,
    unitPrice,
    description: product?.listingName ?? `marketplace product ${line.productId}`,
    ...details,
  };
}

function detailsOf({ id, unitMultiplier }: Line): Pick<ErpOrderLine, 'key' | 'unitMultiplier'> {
  return { key: String(id), ...(unitMultiplier === null ? {} : { unitMultiplier }) };
}

/** The figures are compared with the marketplace's own. A difference raises an alert, and is never rounded away. */
function totalAlerts(order: StoredOrder['order'], tax: Decimal, total: Decimal): Cause[] {
  const alerts: Cause[] = [];
  const compare = (figure: string, ours: Decimal, theirs: Decimal | null) => {
    if (theirs === null || ours.equals(theirs)) return;
    const figures = { ours: ours.toFixed(), theirs: theirs.toFixed(), by: theirs.minus(ours).toFixed() };
    alerts.push(cause('figure-differs', { order: order.number, figure, ...figures }));
  };
  compare('tax', tax, order.taxAmount);
  compare('total', total, order.total);
  return alerts;
}

/** An unknown tax raises an alert, unless the marketplace's own figures say how much the tax is, or that there is none. */
function taxAlerts(order: StoredOrder['order'], total: Decimal, excise: ExciseRule): Cause[] {
  if (!isTaxUnknown(order.deliveryState, excise)) return [];
  if (order.taxAmount !== null || order.total?.equals(total)) return [];
  return [cause('tax-state-unknown', { order: order.number, customer: order.customer.id })];
}

/** Does the ERP hold these lines, in any order? */
export function sameLines(wanted: readonly ErpOrderLine[], theirs: readonly ErpOrderLine[]): boolean {
  if (!sameQuantities(wanted, theirs)) return false;
  const shown = theirs.toSorted(byContent);
  return wanted.toSorted(byContent).every((line, at) => samePrice(line.unitPrice, shown[at]?.unitPrice));
}

function byContent(a: ErpOrderLine, b: ErpOrderLine): number {
  return a.sku.localeCompare(b.sku) || a.quantity.comparedTo(b.quantity) || a.unitPrice.comparedTo(b.unitPrice);
}

/** An ERP that keeps fewer digits may cut a price further than we do, but it has to keep the cents. */
function samePrice(wanted: Decimal, shown: Decimal | undefined): boolean {
  if (shown === undefined || wanted.decimalPlaces() < UNIT_PRICE_DIGITS) return shown?.equals(wanted) ?? false;
  return wanted.toDecimalPlaces(Math.max(2, shown.decimalPlaces())).equals(shown);
}

/** Are these the same lines, apart from their prices? */
export function sameQuantities(a: readonly ErpOrderLine[], b: readonly ErpOrderLine[]): boolean {
  const texts = (lines: readonly ErpOrderLine[]) =>
    lines.map((line) => `${line.sku} ${line.quantity.toFixed()}`).toSorted();
  return texts(a).join('\n') === texts(b).join('\n');
}

export function showLines(lines: readonly ErpOrderLine[]): string {
  return lines.map((line) => `${line.quantity.toFixed()} x ${line.sku} at ${line.unitPrice.toFixed()}`).join(', ');
}
