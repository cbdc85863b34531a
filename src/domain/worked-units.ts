import type { Decimal, Figure } from './decimal.ts';
import {
  inWholeCases,
  listedOf,
  listingPriceOf,
  type Price,
  type Units,
  unitsInListed,
  unitsOfErpStock,
} from './units.ts';

export interface WorkedProduct {
  readonly sku: string;
  readonly price: Price<'erp price'>;
  readonly unitMultiplier: Decimal;
  /** null: the ERP shows no stock. */
  readonly available: Figure<'erp stock'> | null;
}

/**
 * One product's price and stock converted as an example, for a person to check: "12 to a case: 10.00 USD a unit, listed
 * at 120.00".
 */
export function workedProduct(units: Units, { sku, price, unitMultiplier, available }: WorkedProduct): string {
  const listed = listingPriceOf(units, price, unitMultiplier);
  const prices = `${price.amount.toFixed(2)} ${price.currency} a ${units.erp.pricePer} in the ERP is listed at ${listed.amount.toFixed(2)} a ${units.marketplace.pricePer}`;
  const stock = available === null ? '' : `; ${stockText(units, available, unitMultiplier)}`;
  return `${sku}, ${unitMultiplier.toFixed()} to a case: ${prices}${stock}`;
}

function stockText(units: Units, available: Figure<'erp stock'>, multiplier: Decimal): string {
  const there = unitsOfErpStock(units, available, multiplier);
  const unitsIn = unitsInListed(units, multiplier);
  if (there === null || unitsIn === null) return 'its stock cannot be converted';
  const shown = listedOf(inWholeCases(there, unitsIn), unitsIn).toFixed();
  return `${available.toFixed()} ${units.erp.stockIn} available in the ERP are ${shown} ${units.marketplace.stockIn} on the listing`;
}
