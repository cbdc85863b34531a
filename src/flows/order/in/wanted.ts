import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { type Decimal, decimalOf, decimalOrNull, type Figure, figure } from '../../../domain/decimal.ts';
import { beyondLimits, ORDER_LIMITS } from '../../../domain/limits.ts';
import { miscountedIn } from '../../../domain/miscounted.ts';
import { inCurrency } from '../../../domain/money-text.ts';
import type { AgreedPrice } from '../../../domain/order-base.ts';
import { quantityProblem } from '../../../domain/quantity.ts';
import { type ExciseRule, orderTotals, soldPrice } from '../../../domain/totals.ts';
import { erpLineOf, erpLinePriceOf, type Multiplier, UNIT_PRICE_DIGITS, type Units } from '../../../domain/units.ts';
import type { Capabilities } from '../../../erp/capabilities.ts';
import type { ErpOrderLine } from '../../../erp/connector.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { type DifferentTotals, figureAlerts } from './figures.ts';

/** A line's product: its SKU in the ERP, or its listing's. */
export interface KnownProduct {
  readonly sku: string | null;
  /** The ERP product that took over this SKU. null: none. */
  readonly skuTakenBy: string | null;
  /** The ERP product of the listing's SKU, if it is linked to another listing. null: none, or the listing is linked. */
  readonly skuLinked: { readonly product: string; readonly listing: string } | null;
  readonly listingSku: string | null;
  readonly listingName: string | null;
  readonly unitMultiplier: Decimal | null;
}

/** The content that the ERP's order should have, or why it is unknown. */
export type WantedOrder =
  | {
      readonly lines: readonly ErpOrderLine[];
      readonly discount: Decimal;
      readonly shipping: Decimal;
      /** 0 if unknown. */
      readonly tax: Decimal;
      readonly total: Decimal;
      /** Why the tax is unknown. null: it is known. */
      readonly taxUnknown: Cause | null;
      /** By line, in the order of `lines`. */
      readonly prices: readonly AgreedPrice[];
      /** Lines whose marketplace price differs from the agreed one. */
      readonly moved: readonly PriceMove[];
      /** Why the order is implausible and not written to the ERP. null: it is plausible. */
      readonly unfit: Cause | null;
      readonly alerts: readonly Cause[];
    }
  | { readonly problem: Cause };

export interface PriceMove {
  readonly line: number;
  readonly sku: string;
  /** Set if the size of the case has changed. */
  readonly cases: { readonly agreed: Decimal; readonly now: Decimal } | null;
  readonly agreed: Figure<'erp line price'>;
  readonly shown: Figure<'erp line price'>;
}

export interface WantedRules {
  readonly ownSeller: number;
  /** `agreed`: a line keeps its export price. `follow`: it takes the marketplace's current price. */
  readonly prices: 'agreed' | 'follow';
  /** Export prices by line id. */
  readonly agreed: ReadonlyMap<number, AgreedPrice>;
  /** The ERP's lines. A price that both sides show is agreed. */
  readonly entered: readonly Pick<ErpOrderLine, 'sku' | 'unitPrice'>[];
  readonly units: Units;
  readonly excise: ExciseRule;
  /** States of delivery can be read, so a person can enter a missing one. */
  readonly statesRead: boolean;
  readonly currency: string;
  readonly onUnmappedProduct: 'hold' | 'create' | 'pass';
  /** The products of both sides were compared, so one without a link has none. */
  readonly areLinksKnown: boolean;
  /** The most fraction digits that the ERP stores. */
  readonly decimals: Capabilities['decimals'];
  /** The ERP accepts a key for each line and the units in a case. */
  readonly orderDetails: boolean;
}

export function wantedOrder(
  { order, lines, seller }: Pick<StoredOrder, 'order' | 'lines' | 'seller'>,
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
  // The marketplace's own totals belong to its current prices.
  const asShown = lines.map((line) => ({ ...line, unitMultiplier: multiplierOf(line, products.get(line.productId)) }));
  const shown = orderTotals({ ...order, lines: asShown }, rules.units, rules.excise);
  const figures = { taxAmount: shown.isTaxKnown ? shown.tax : null, total: null };
  const totals = orderTotals({ ...order, ...figures, lines: priced }, rules.units, rules.excise);
  const { discount, shipping, tax, total, isTaxKnown } = totals;
  const taxUnknown = isTaxKnown
    ? null
    : cause('tax-state-unknown', { order: order.number, customer: order.customer.id });
  const alerts = [
    ...(taxUnknown === null || !rules.statesRead ? [] : [taxUnknown]),
    ...figureAlerts(order, shown, countedOtherwise(order, asShown, erpLines, rules), rules.currency),
  ];
  const unfit = beyondLimits(ORDER_LIMITS, {
    order,
    lines: priced,
    seller,
    ownSeller: rules.ownSeller,
    total,
    currency: rules.currency,
  });
  return { lines: erpLines, discount, shipping, tax, total, taxUnknown, prices, moved, unfit, alerts };
}

function countedOtherwise(
  order: StoredOrder['order'],
  lines: readonly Line[],
  asCounted: readonly ErpOrderLine[],
  { units, excise }: WantedRules,
): DifferentTotals | null {
  const other = units.marketplace.linesIn === 'units' ? 'cases' : 'units';
  const otherUnits: Units = { ...units, marketplace: { ...units.marketplace, linesIn: other } };
  const meant = lines.flatMap(({ quantity, unitMultiplier }, at) => {
    const [line, asMeant] = [asCounted[at], erpLineOf(otherUnits, quantity, unitMultiplier)];
    return line === undefined || asMeant === null ? [] : [{ sku: line.sku, quantity: asMeant }];
  });
  if (meant.length < lines.length) return null;
  const multipliers = lines.map(({ unitMultiplier }) => unitMultiplier);
  const miscounted = miscountedIn(meant, multipliers, asCounted, units.erp.linesIn);
  return (
    miscounted && { totals: orderTotals({ ...order, lines }, otherUnits, excise), miscounted: { ...miscounted, other } }
  );
}

/** The line at the price that applies: the agreed one if it is kept, or else the current one. */
function pricedLine(line: Line, product: KnownProduct | null, rules: WantedRules): Line {
  const known = rules.prices === 'agreed' ? agreedPrice(line, product, rules) : undefined;
  const { currency } = soldPrice(line);
  if (known === undefined) {
    return {
      ...line,
      orderedUnitPrice: soldPrice(line),
      salesPrice: null,
      unitMultiplier: multiplierOf(line, product),
    };
  }
  const orderedUnitPrice = { amount: figure<'marketplace price'>(decimalOf(known.price)), currency };
  return { ...line, orderedUnitPrice, salesPrice: null, unitMultiplier: decimalOrNull(known.unitMultiplier) };
}

/** The stored price. undefined: none, or the ERP has the marketplace's current price. */
function agreedPrice(
  line: Line,
  product: KnownProduct | null,
  { agreed, entered, units }: WantedRules,
): AgreedPrice | undefined {
  const shown = erpLinePriceOf(units, soldPrice(line).amount, multiplierOf(line, product));
  const there = entered.filter(({ sku }) => sku === product?.sku);
  const isOnBoth = there.length > 0 && there.every(({ unitPrice }) => unitPrice.equals(shown));
  return isOnBoth ? undefined : agreed.get(line.id);
}

function priceMove(
  line: Line,
  sku: string,
  products: ReadonlyMap<number, KnownProduct>,
  rules: WantedRules,
): PriceMove[] {
  const product = products.get(line.productId) ?? null;
  const known = agreedPrice(line, product, rules);
  if (known === undefined) return [];
  const agreed = agreedErpPrice(known, rules.units);
  const shown = erpLinePriceOf(rules.units, soldPrice(line).amount, multiplierOf(line, product));
  const [held, now] = [decimalOrNull(known.unitMultiplier), multiplierOf(line, product)];
  const cases = held === null || now === null || held.equals(now) ? null : { agreed: held, now };
  return shown.equals(agreed) ? [] : [{ line: line.id, sku, cases, agreed, shown }];
}

export function agreedErpPrice({ price, unitMultiplier }: AgreedPrice, units: Units): Figure<'erp line price'> {
  return erpLinePriceOf(units, figure(decimalOf(price)), decimalOrNull(unitMultiplier));
}

type Line = NonNullable<StoredOrder['lines']>[number];
interface At {
  readonly order: string;
  readonly line: string;
}

function multiplierOf(line: Line, product: KnownProduct | undefined | null): Multiplier {
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
  if (multiplier?.lessThanOrEqualTo(0)) return cause('line-multiplier', { ...at, multiplier: multiplier.toFixed() });
  const quantity = erpLineOf(rules.units, line.quantity, multiplier);
  if (quantity === null) return cause('line-cases-unknown', at);
  const there = quantityProblem(quantity);
  if (there !== null) return cause('line-quantity', { ...at, problem: `as the ERP counts it ${there}` });
  const most = rules.decimals;
  if (most.quantity !== null && quantity.decimalPlaces() > most.quantity) {
    return cause('line-quantity-finer', { ...at, quantity: quantity.toFixed(), decimals: most.quantity });
  }
  const exact = erpLinePriceOf(rules.units, price.amount, multiplier);
  const unitPrice = most.price === null ? exact : figure<'erp line price'>(exact.toDecimalPlaces(most.price));
  const details = rules.orderDetails ? detailsOf(line) : {};
  if (product?.sku != null && product.skuTakenBy !== null) {
    return cause('line-sku-taken', { ...at, product: line.productId, sku: product.sku, by: product.skuTakenBy });
  }
  if (product?.sku != null) return { sku: product.sku, quantity, unitPrice, ...details };
  if (!rules.areLinksKnown) return cause('products-unread');
  const unknown = { ...at, product: line.productId };
  const sku = product?.listingSku ?? null;
  if (rules.onUnmappedProduct === 'create' && sku !== null) return cause('product-made-first', { ...unknown, sku });
  if (rules.onUnmappedProduct !== 'pass') {
    return cause('product-unlinked', { ...unknown, sku, elsewhere: product?.skuLinked ?? null });
  }
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

/** Returns whether the ERP has these lines, in any order. */
export function sameLines(wanted: readonly ErpOrderLine[], theirs: readonly ErpOrderLine[]): boolean {
  if (!sameQuantities(wanted, theirs)) return false;
  const shown = theirs.toSorted(byContent);
  return wanted.toSorted(byContent).every((line, at) => samePrice(line.unitPrice, shown[at]?.unitPrice));
}

function byContent(a: ErpOrderLine, b: ErpOrderLine): number {
  return a.sku.localeCompare(b.sku) || a.quantity.comparedTo(b.quantity) || a.unitPrice.comparedTo(b.unitPrice);
}

/** An ERP may store fewer digits of a price than we send, but at least cents. */
function samePrice(wanted: Decimal, shown: Decimal | undefined): boolean {
  if (shown === undefined || wanted.decimalPlaces() < UNIT_PRICE_DIGITS) return shown?.equals(wanted) ?? false;
  return wanted.toDecimalPlaces(Math.max(2, shown.decimalPlaces())).equals(shown);
}

export function sameQuantities(a: readonly ErpOrderLine[], b: readonly ErpOrderLine[]): boolean {
  const texts = (lines: readonly ErpOrderLine[]) =>
    lines.map((line) => `${line.sku} ${line.quantity.toFixed()}`).toSorted();
  return texts(a).join('\n') === texts(b).join('\n');
}

/** `5 x SB-0001 at 12.00 USD` */
export function showLines(lines: readonly ErpOrderLine[], currency: string): string {
  const shown = lines.map(
    ({ quantity, sku, unitPrice }) => `${quantity.toFixed()} x ${sku} at ${inCurrency(unitPrice, currency)}`,
  );
  return shown.join(', ');
}
