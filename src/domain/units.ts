import { type Decimal, type Figure, figure, ONE } from './decimal.ts';

/*
 * The unit algebra. An ERP unit is the thing that `unit_multiplier` counts; a case is the sold-in unit of the marketplace. Each
 * side counts lines and stock, and quotes prices, in one or the other. A figure keeps the terms of its place until one of
 * these functions converts it, and its type says which terms these are: a figure in other terms does not compile.
 */

export type Terms =
  /** ERP units: the terms of the stock ledger. */
  | 'units'
  | 'marketplace line'
  | 'marketplace stock'
  | 'marketplace price'
  | 'erp line'
  /** The price of what an order line of the ERP counts. */
  | 'erp line price'
  | 'erp stock'
  /** The price of a product in the ERP. */
  | 'erp price';

/** A price with its currency, in whole currency units (dollars, not cents), exact. */
export interface Price<Of extends 'marketplace price' | 'erp price'> {
  readonly amount: Figure<Of>;
  /** ISO 4217 code as the other side spells it, e.g. `USD`. */
  readonly currency: string;
}

export type Counted = 'units' | 'cases';

/** The settings of one side. */
export interface UnitsOfSide {
  /** A price is that of one ERP unit, or of a case. In the ERP: the price of a product; the price of a line is that of what it counts. */
  readonly pricePer: 'unit' | 'case';
  readonly stockIn: Counted;
  readonly linesIn: Counted;
}

export interface Units {
  readonly marketplace: UnitsOfSide;
  readonly erp: UnitsOfSide;
}

/** ERP units in a case; null where nobody says it. */
export type Multiplier = Decimal | null;

/** A quotient may have endless digits, so it is cut to ten. */
export const UNIT_PRICE_DIGITS = 10;
/** The digits in which the marketplace keeps a price. */
const LISTED_PRICE_DIGITS = 2;

/** null: the units in a case are not known, and are needed. */
function quantity<Of extends Terms>(
  value: Decimal,
  from: Counted,
  to: Counted,
  multiplier: Multiplier,
): Figure<Of> | null {
  if (from === to) return figure(value);
  if (multiplier === null || !multiplier.greaterThan(0)) return null;
  return figure(from === 'cases' ? value.times(multiplier) : value.dividedBy(multiplier));
}

/** A price where nobody says how many units are in a case is that of one unit. */
function price(amount: Decimal, from: 'unit' | 'case', to: 'unit' | 'case', multiplier: Multiplier): Decimal {
  if (from === to || multiplier === null || !multiplier.greaterThan(0)) return amount;
  return from === 'unit' ? amount.times(multiplier) : amount.dividedBy(multiplier).toDecimalPlaces(UNIT_PRICE_DIGITS);
}

const PER = { units: 'unit', cases: 'case' } as const;

/** A line of the marketplace as an order line of the ERP counts it. */
export function erpLineOf({ marketplace, erp }: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return quantity<'erp line'>(line, marketplace.linesIn, erp.linesIn, multiplier);
}

/** A line of the ERP as the marketplace counts it. */
export function lineOfErp({ marketplace, erp }: Units, line: Figure<'erp line'>, multiplier: Multiplier) {
  return quantity<'marketplace line'>(line, erp.linesIn, marketplace.linesIn, multiplier);
}

export function unitsOfLine({ marketplace }: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return quantity<'units'>(line, marketplace.linesIn, 'units', multiplier);
}

export function unitsOfErpLine({ erp }: Units, line: Figure<'erp line'>, multiplier: Multiplier) {
  return quantity<'units'>(line, erp.linesIn, 'units', multiplier);
}

/** A line of the ERP in the terms of its stock. */
export function stockOfErpLine({ erp }: Units, line: Figure<'erp line'>, multiplier: Multiplier) {
  return quantity<'erp stock'>(line, erp.linesIn, erp.stockIn, multiplier);
}

export function unitsOfErpStock({ erp }: Units, stock: Figure<'erp stock'>, multiplier: Multiplier) {
  return quantity<'units'>(stock, erp.stockIn, 'units', multiplier);
}

/** A line of the marketplace in the terms of its stock. */
export function listedOfLine({ marketplace }: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return quantity<'marketplace stock'>(line, marketplace.linesIn, marketplace.stockIn, multiplier);
}

/** The same, and as the line counts where neither it nor its listing says how many units are in a case. */
export function listedOrCounted(units: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return listedOfLine(units, line, multiplier) ?? figure<'marketplace stock'>(line);
}

/** The ERP units that a figure of 1 in the stock of a listing stands for; null: the units in a case are needed, and not known. */
export function unitsInListed({ marketplace }: Units, multiplier: Multiplier): Decimal | null {
  return quantity(ONE, marketplace.stockIn, 'units', multiplier);
}

/** The larger case of two. A case that nobody knows is no larger one. */
export function largerCase(one: Multiplier, other: Multiplier): Multiplier {
  if (one === null || other === null) return one ?? other;
  return other.greaterThan(one) ? other : one;
}

/** The figure of as many whole new cases as the old ones hold; null: no stock counts cases. */
export function inNewCases(
  { marketplace }: Units,
  stock: Figure<'marketplace stock'>,
  before: Multiplier,
  next: Multiplier,
): Figure<'marketplace stock'> | null {
  const [held, each] = [unitsInCase(before), unitsInCase(next)];
  if (marketplace.stockIn === 'units' || held === null || each === null) return null;
  return listedOf(inWholeCases(unitsOfListed(stock, held), each), each);
}

function unitsInCase(multiplier: Multiplier): Decimal | null {
  return quantity(ONE, 'cases', 'units', multiplier);
}

/** Is it the price of the product as the ERP has it, of a unit for a case or of a case for a unit? The settings may be wrong. */
export function isInOtherTerms(
  listed: Figure<'marketplace price'>,
  amount: Figure<'erp price'>,
  multiplier: Multiplier,
): boolean {
  if (multiplier === null || multiplier.equals(1)) return false;
  const terms = ['unit', 'case'] as const;
  return terms.some((from) =>
    terms.some((to) => price(amount, from, to, multiplier).toDecimalPlaces(LISTED_PRICE_DIGITS).equals(listed)),
  );
}

/** Is the price of an order line of the ERP that of its product, of a case for a unit or of a unit for a case? */
export function isLineInOtherTerms(
  { erp }: Units,
  line: Figure<'erp line price'>,
  product: Figure<'erp price'>,
  multiplier: Multiplier,
): boolean {
  const counted = PER[erp.linesIn];
  const priced = (per: 'unit' | 'case') =>
    price(product, erp.pricePer, per, multiplier).toDecimalPlaces(UNIT_PRICE_DIGITS);
  return !line.equals(priced(counted)) && line.equals(priced(counted === 'unit' ? 'case' : 'unit'));
}

export function unitsOfListed(stock: Figure<'marketplace stock'>, unitsIn: Decimal): Figure<'units'> {
  return figure(stock.times(unitsIn));
}

export function listedOf(units: Decimal, unitsIn: Decimal): Figure<'marketplace stock'> {
  return figure(units.dividedBy(unitsIn));
}

/** A case that is not full is not offered. */
export function inWholeCases(units: Decimal, unitsIn: Decimal): Figure<'units'> {
  return figure(unitsIn.equals(ONE) ? units : units.dividedBy(unitsIn).floor().times(unitsIn));
}

/** The price at which the ERP is to have a line of the marketplace. */
export function erpLinePriceOf(
  { marketplace, erp }: Units,
  amount: Figure<'marketplace price'>,
  multiplier: Multiplier,
) {
  const asCounted = price(amount, marketplace.pricePer, PER[erp.linesIn], multiplier);
  return figure<'erp line price'>(asCounted.toDecimalPlaces(UNIT_PRICE_DIGITS));
}

/** The price at which the marketplace is to have a line of the ERP. A price that was cut to ten digits is whole cents again. */
export function linePriceOf(units: Units, amount: Figure<'erp line price'>, multiplier: Multiplier) {
  const { marketplace, erp } = units;
  const exact = figure<'marketplace price'>(price(amount, PER[erp.linesIn], marketplace.pricePer, multiplier));
  const cents = figure<'marketplace price'>(exact.toDecimalPlaces(LISTED_PRICE_DIGITS));
  return erpLinePriceOf(units, cents, multiplier).equals(amount) ? cents : exact;
}

/** The price of a listing for the price of its product. A price that was converted is rounded half up to cents. */
export function listingPriceOf(
  { marketplace, erp }: Units,
  { amount, currency }: Price<'erp price'>,
  multiplier: Multiplier,
) {
  const converted = price(amount, erp.pricePer, marketplace.pricePer, multiplier);
  const rounded = converted.equals(amount) ? amount : converted.toDecimalPlaces(LISTED_PRICE_DIGITS);
  return { amount: figure<'marketplace price'>(rounded), currency };
}

/** The price of one ERP unit of a listing. */
export function unitPriceOf(amount: Figure<'marketplace price'>, per: UnitsOfSide['pricePer'], multiplier: Multiplier) {
  return price(amount, per, 'unit', multiplier);
}

/** The price of a product for the price of its listing. */
export function productPriceOf(
  { marketplace, erp }: Units,
  { amount, currency }: Price<'marketplace price'>,
  multiplier: Multiplier,
) {
  return { amount: figure<'erp price'>(price(amount, marketplace.pricePer, erp.pricePer, multiplier)), currency };
}

/** The cost of a line of the marketplace, in the currency of its price. */
export function lineAmount(
  { marketplace }: Units,
  line: Figure<'marketplace line'>,
  amount: Figure<'marketplace price'>,
  multiplier: Multiplier,
): Decimal {
  const { linesIn, pricePer } = marketplace;
  const cost = line.times(amount);
  if (PER[linesIn] === pricePer || multiplier === null || !multiplier.greaterThan(0)) return cost;
  return linesIn === 'units' ? cost.dividedBy(multiplier) : cost.times(multiplier);
}
