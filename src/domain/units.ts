import { type Decimal, type Figure, figure, ONE } from './decimal.ts';

/*
 * The unit algebra. `unit_multiplier` is the number of ERP units in a case, the marketplace's sold-in unit. Each side
 * counts lines and stock, and quotes prices, in units or in cases. The type of a figure names its terms. Only the
 * functions below convert it, so mixing terms does not compile.
 */

export type Terms =
  /** ERP units, used by the stock ledger. */
  | 'units'
  | 'marketplace line'
  | 'marketplace stock'
  | 'marketplace price'
  | 'erp line'
  /** The price per unit of quantity of an ERP order line. */
  | 'erp line price'
  | 'erp stock'
  | 'erp price';

/** A price with its currency, in whole currency units (dollars, not cents), exact. */
export interface Price<Of extends 'marketplace price' | 'erp price'> {
  readonly amount: Figure<Of>;
  /** ISO 4217 code as the other side writes it, e.g. `USD`. */
  readonly currency: string;
}

export type Counted = 'units' | 'cases';

export interface UnitsOfSide {
  /**
   * Whether a price is per ERP unit or per case. In the ERP, only for products: a line is priced by the unit it counts.
   */
  readonly pricePer: 'unit' | 'case';
  readonly stockIn: Counted;
  readonly linesIn: Counted;
}

export interface Units {
  readonly marketplace: UnitsOfSide;
  readonly erp: UnitsOfSide;
}

/** ERP units in a case. null: unknown. */
export type Multiplier = Decimal | null;

/** A quotient may have endless digits, so it is rounded to ten. */
export const UNIT_PRICE_DIGITS = 10;
/** The fraction digits that the marketplace stores. */
const LISTED_PRICE_DIGITS = 2;

/** null: the multiplier is needed, but unknown. */
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

/** With an unknown multiplier, a price counts as that of one unit. */
function price(amount: Decimal, from: 'unit' | 'case', to: 'unit' | 'case', multiplier: Multiplier): Decimal {
  if (from === to || multiplier === null || !multiplier.greaterThan(0)) return amount;
  return from === 'unit' ? amount.times(multiplier) : amount.dividedBy(multiplier).toDecimalPlaces(UNIT_PRICE_DIGITS);
}

const PER = { units: 'unit', cases: 'case' } as const;

export function erpLineOf({ marketplace, erp }: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return quantity<'erp line'>(line, marketplace.linesIn, erp.linesIn, multiplier);
}

export function lineOfErp({ marketplace, erp }: Units, line: Figure<'erp line'>, multiplier: Multiplier) {
  return quantity<'marketplace line'>(line, erp.linesIn, marketplace.linesIn, multiplier);
}

export function unitsOfLine({ marketplace }: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return quantity<'units'>(line, marketplace.linesIn, 'units', multiplier);
}

export function unitsOfErpLine({ erp }: Units, line: Figure<'erp line'>, multiplier: Multiplier) {
  return quantity<'units'>(line, erp.linesIn, 'units', multiplier);
}

export function stockOfErpLine({ erp }: Units, line: Figure<'erp line'>, multiplier: Multiplier) {
  return quantity<'erp stock'>(line, erp.linesIn, erp.stockIn, multiplier);
}

export function unitsOfErpStock({ erp }: Units, stock: Figure<'erp stock'>, multiplier: Multiplier) {
  return quantity<'units'>(stock, erp.stockIn, 'units', multiplier);
}

export function listedOfLine({ marketplace }: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return quantity<'marketplace stock'>(line, marketplace.linesIn, marketplace.stockIn, multiplier);
}

/** As `listedOfLine`. With an unknown multiplier, the line's own figure. */
export function listedOrLineFigure(units: Units, line: Figure<'marketplace line'>, multiplier: Multiplier) {
  return listedOfLine(units, line, multiplier) ?? figure<'marketplace stock'>(line);
}

/** ERP units per 1 of a listing's stock figure. null: the multiplier is needed, but unknown. */
export function unitsInListed({ marketplace }: Units, multiplier: Multiplier): Decimal | null {
  return quantity(ONE, marketplace.stockIn, 'units', multiplier);
}

/** An unknown case is never larger. */
export function largerCase(one: Multiplier, other: Multiplier): Multiplier {
  if (one === null || other === null) return one ?? other;
  return other.greaterThan(one) ? other : one;
}

/** Converts stock to as many full new cases as the old ones hold. null: stock is not counted in cases. */
export function convertedCases(
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

/**
 * Returns whether the listing has the ERP's price in the wrong unit: of a case per unit, or of a unit per case. The
 * settings may then be wrong.
 */
export function isPricePerWrongUnit(
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

/** Returns whether an ERP line has its product's price in the wrong unit. */
export function isLinePricePerWrongUnit(
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

/** A partial case is not offered. */
export function inWholeCases(units: Decimal, unitsIn: Decimal): Figure<'units'> {
  return figure(unitsIn.equals(ONE) ? units : units.dividedBy(unitsIn).floor().times(unitsIn));
}

export function erpLinePriceOf(
  { marketplace, erp }: Units,
  amount: Figure<'marketplace price'>,
  multiplier: Multiplier,
) {
  const asCounted = price(amount, marketplace.pricePer, PER[erp.linesIn], multiplier);
  return figure<'erp line price'>(asCounted.toDecimalPlaces(UNIT_PRICE_DIGITS));
}

/**
 * Converts an ERP line's price to the marketplace's line. A price that was rounded to ten digits becomes full cents
 * again.
 */
export function linePriceOf(units: Units, amount: Figure<'erp line price'>, multiplier: Multiplier) {
  const { marketplace, erp } = units;
  const exact = figure<'marketplace price'>(price(amount, PER[erp.linesIn], marketplace.pricePer, multiplier));
  const cents = figure<'marketplace price'>(exact.toDecimalPlaces(LISTED_PRICE_DIGITS));
  return erpLinePriceOf(units, cents, multiplier).equals(amount) ? cents : exact;
}

/** Converts a product's price to its listing's. A converted price is rounded half up to cents. */
export function listingPriceOf(
  { marketplace, erp }: Units,
  { amount, currency }: Price<'erp price'>,
  multiplier: Multiplier,
) {
  const converted = price(amount, erp.pricePer, marketplace.pricePer, multiplier);
  const rounded = converted.equals(amount) ? amount : converted.toDecimalPlaces(LISTED_PRICE_DIGITS);
  return { amount: figure<'marketplace price'>(rounded), currency };
}

export function unitPriceOf(amount: Figure<'marketplace price'>, per: UnitsOfSide['pricePer'], multiplier: Multiplier) {
  return price(amount, per, 'unit', multiplier);
}

export function productPriceOf(
  { marketplace, erp }: Units,
  { amount, currency }: Price<'marketplace price'>,
  multiplier: Multiplier,
) {
  return { amount: figure<'erp price'>(price(amount, marketplace.pricePer, erp.pricePer, multiplier)), currency };
}

/** In the currency of the price. */
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
