import type { Decimal } from './decimal.ts';
import type { Money } from './money.ts';

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
  readonly price: Money | undefined;
  readonly unitMultiplier: Decimal | undefined;
  /** false for products whose quantity the marketplace does not keep. */
  readonly managed: boolean;
}

/** The three stock figures of a listing (spec 1, Product inventory fields): available = quantity − reserved. */
export interface StockFigures {
  readonly quantity: Decimal | null;
  readonly reserved: Decimal | null;
  readonly available: Decimal | null;
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
