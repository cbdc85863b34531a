import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { beyondLimits, PRODUCT_LIMITS } from '../../domain/limits.ts';
import { inCurrency } from '../../domain/money-text.ts';
import { isPricePerWrongUnit, type Multiplier, type Price, unitPriceOf } from '../../domain/units.ts';
import type { Planned } from '../engine/decision.ts';
import { isEchoed, text } from '../engine/fields.ts';
import type { Braked } from '../engine/policy.ts';
import type { ErpSide, Listing, ProductAction, ProductSnapshot, Written } from './snapshot.ts';

export const PRICE = 'wholesale_price';
export const CASE = 'unit_multiplier';

export function heldPrice(snapshot: ProductSnapshot, erp: ErpSide, listing: Listing): Cause | null {
  const { rules } = snapshot;
  const shown = listing.price?.currency ?? rules.currency;
  if (shown === rules.currency) return priceProblem(erp, rules.currency) ?? soldForNothing(snapshot, erp, listing);
  return cause('listing-currency', { listing: listing.id, sku: erp.sku, shown, wanted: rules.currency });
}

/** A price was written, but the marketplace shows 0. */
function soldForNothing({ wanted, echoes }: ProductSnapshot, erp: ErpSide, listing: Listing): Cause | null {
  const { id, price, fields } = listing;
  if (price === undefined || price.amount.greaterThan(0) || !isEchoed(PRICE, wanted, fields, echoes)) return null;
  const prices = {
    sent: inCurrency(erp.price.amount, erp.price.currency),
    shown: inCurrency(price.amount, price.currency),
  };
  return cause('price-shown-as-nothing', { listing: id, sku: erp.sku, ...prices });
}

export function priceOf(
  { wanted, rescaled, echoes, rules }: ProductSnapshot,
  erp: ErpSide,
  listing: Listing,
  change: Pick<Written, 'listingId' | 'replaced' | 'agreed'> & Pick<Planned, 'why' | 'target'>,
  withCase: boolean,
): ProductAction {
  const moved = changePercent(listing.price, erp.price);
  const isDoubtful =
    listing.price !== undefined && isPricePerWrongUnit(listing.price.amount, erp.erpPrice.amount, erp.multiplier);
  // If the ERP changed a known case size, its price is written with it.
  const isOtherCase = withCase && echoes[CASE]?.echo === text(listing.fields[CASE]);
  return {
    action: 'product.price',
    ...change,
    before: listing.price === undefined ? null : priceText(listing.price, rules.pricePer, listing.unitMultiplier),
    after: priceText(erp.price, rules.pricePer, erp.multiplier),
    fields: { [PRICE]: wanted[PRICE], ...(withCase ? { [CASE]: wanted[CASE], ...rescaled } : {}) },
    brake: !isOtherCase && isDoubtful ? 'reprice' : 'price',
    priceAmount: erp.price.amount,
    ...(withCase ? otherCaseOf(erp, listing, rules.pricePer) : {}),
    ...(moved === null ? {} : { changePercent: moved }),
  };
}

function otherCaseOf(
  { multiplier, price }: ErpSide,
  listing: Listing,
  per: 'unit' | 'case',
): Pick<Braked, 'otherCase'> {
  const [was, now] = [listing.unitMultiplier, multiplier];
  if (was == null || now === null || listing.price === undefined) return {};
  const unitPrice = ({ amount, currency }: Price<'marketplace price'>, units: Decimal) =>
    `${unitPriceOf(amount, per, units).toFixed()} ${currency}`;
  return {
    otherCase: {
      was: was.toFixed(),
      now: now.toFixed(),
      unitWas: unitPrice(listing.price, was),
      unitNow: unitPrice(price, now),
    },
  };
}

export function priceText(
  price: Price<'marketplace price'>,
  per: 'unit' | 'case',
  multiplier: Multiplier = null,
): string {
  if (multiplier === null || multiplier.equals(1)) return moneyText(price);
  const units = multiplier.toFixed();
  return `${moneyText(price)} ${per === 'case' ? `for a case of ${units}` : `a unit, ${units} to a case`}`;
}

function moneyText({ amount, currency }: Price<'marketplace price'>): string {
  return `${amount.toFixed()} ${currency}`;
}

export function priceProblem({ sku, price }: ErpSide, currency: string): Cause | null {
  if (price.currency !== currency) return cause('price-currency', { sku, shown: price.currency, wanted: currency });
  return beyondLimits(PRODUCT_LIMITS, { sku, price });
}

function changePercent(
  before: Price<'marketplace price'> | undefined,
  after: Price<'marketplace price'>,
): Decimal | null {
  if (before === undefined || before.amount.isZero()) return null;
  return after.amount.minus(before.amount).dividedBy(before.amount).times(100);
}
