import type { Decimal, Figure } from './decimal.ts';
import type { Price } from './units.ts';

/** `undefined`: the field was not sent, so it is unknown, not empty. */
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
  /** False if the marketplace does not track the product's quantity. */
  readonly managed: boolean;
}

/** The stock figures of a listing (spec 1, Product inventory fields): available = quantity − reserved. */
export interface StockFigures {
  readonly quantity: Figure<'marketplace stock'> | null;
  readonly reserved: Figure<'marketplace stock'> | null;
  readonly available: Figure<'marketplace stock'> | null;
}

export const CONFIRMED_ABSENCES = 2;

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

/** Returns whether the ERP certainly no longer has the product. Its SKU may then be reused. */
export function isGone({ deleted, absences }: { readonly deleted: boolean; readonly absences: number }): boolean {
  return deleted || absences >= CONFIRMED_ABSENCES;
}

interface Beside {
  readonly id: number;
  readonly archived: boolean;
  readonly externalId: string | null;
}

/**
 * The listings on sale that stand beside the linked one of a product.
 * @param found those without a link that carry its external id or its SKU
 */
export function competingListings<Listing extends Beside>(found: {
  readonly byExternalId: readonly Listing[];
  readonly bySku: readonly Listing[];
}): Listing[] {
  const all = [...found.byExternalId, ...found.bySku.filter(({ externalId }) => externalId === null)];
  return [...new Map(all.map((one) => [one.id, one])).values()].filter(({ archived }) => !archived);
}
