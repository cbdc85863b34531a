import type { Decimal, Figure } from './decimal.ts';
import type { Price } from './units.ts';

/** A listing as the marketplace shows it. A field the marketplace did not send is `undefined`: unknown, not empty. */
export interface MarketplaceProduct {
  readonly id: number;
  readonly sku: string | null;
  readonly modified: string | null;
  readonly createdOn: string | null;
  readonly archived: boolean | undefined;
  /** The value under the account's `external_id_key`. */
  readonly externalId: string | null;
  readonly figures: StockFigures;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly price: Price<'marketplace price'> | undefined;
  readonly unitMultiplier: Decimal | undefined;
  /** false for products whose quantity the marketplace does not keep. */
  readonly managed: boolean;
}

/** The three stock figures of a listing (spec 1, Product inventory fields), in its own terms: available = quantity − reserved. */
export interface StockFigures {
  readonly quantity: Figure<'marketplace stock'> | null;
  readonly reserved: Figure<'marketplace stock'> | null;
  readonly available: Figure<'marketplace stock'> | null;
}

/** A product that is absent from this many complete listings in a row is gone. */
export const CONFIRMED_ABSENCES = 2;

/** Is the product on sale: active, not deleted, and not absent from the last complete listing? */
export function isSold({
  active,
  deleted,
  absences,
}: {
  readonly active: boolean;
  readonly deleted: boolean;
  readonly absences: number;
}): boolean {
  return active && !deleted && absences === 0;
}

/** Is it certain that the ERP does not have the product any more? Its SKU is free then. */
export function isGone({ deleted, absences }: { readonly deleted: boolean; readonly absences: number }): boolean {
  return deleted || absences >= CONFIRMED_ABSENCES;
}
