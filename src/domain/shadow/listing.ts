import { decimalOf } from '../decimal.ts';
import type { Shift } from '../drift.ts';
import type { MarketplaceProduct, StockFigures } from '../product.ts';
import type { OpenDrift } from './open-drift.ts';
import { type Due, shows } from './row.ts';
import type { UnseenSale } from './unseen-sales.ts';

/** A listing in the shadow. Decimals are texts, exact. */
export type ListingRow = ReturnType<typeof contentOf> &
  ListingFigures & {
    readonly id: number;
    readonly archived: boolean;
    readonly modified: string | null;
    readonly createdOn: string | null;
    /** The body as it came, lossless. */
    readonly raw: string;
    readonly seenAtMs: number;
  };

/** The observed figures, moved on by the orders that were seen since. */
export interface ListingFigures extends ReturnType<typeof figuresOf> {
  /** False when an order event may or may not be in the figures already. */
  readonly certain: boolean;
  /** When the figures were observed, on this installation's own counter of reads. */
  readonly observedTick: number;
  /**
   * Orders released units of the listing. These units are offered again after a read of the orders that began after this tick.
   */
  readonly releasedTick: number;
  /** The units that were reserved by unknown orders at that observation. */
  readonly unexplained: string;
  /** The part of `unexplained` that a much earlier observation showed too, and that no order explains that became known since. */
  readonly unseen: string;
}

/** Everything that the shadow has of one listing. */
export interface Listing {
  /** undefined: the listing was not known. */
  readonly row: ListingRow | undefined;
  /** The ERP's product to which the listing is linked. */
  readonly erpId: string | null;
  /** The difference of the figures that is not judged yet. */
  readonly drift: OpenDrift | null;
  /** The unseen sales of the listing's product that are open or in doubt. */
  readonly unseenSales: readonly UnseenSale[];
}

/** The rows that an event changes, and the entities to look at because of the event. */
export interface ListingChange {
  readonly row?: ListingRow;
  /** The changed columns of the row, when the other columns stay. */
  readonly figures?: ListingFigures;
  readonly drift?: OpenDrift | null;
  readonly unseenSales?: readonly UnseenSale[];
  readonly due: readonly Due[];
}

/** Does the product show exactly what the shadow has, and is the shadow sure of it? The date of the change does not count. */
export function isAsKnown(before: ListingRow | undefined, product: MarketplaceProduct): before is ListingRow {
  if (before?.certain !== true) return false;
  const archived = product.archived ?? before.archived;
  return shows(before, { ...contentOf(product), archived, ...figuresOf(product.figures) });
}

/** The figures that orders move; null where one of them is not known. */
export function movingFigures({ quantity, reserved }: Pick<ListingRow, 'quantity' | 'reserved'>): Shift | null {
  if (quantity === null || reserved === null) return null;
  return { quantity: decimalOf(quantity), reserved: decimalOf(reserved) };
}

export function contentOf(product: MarketplaceProduct) {
  return {
    sku: product.sku,
    externalId: product.externalId,
    name: product.name ?? null,
    description: product.description ?? null,
    priceAmount: product.price?.amount.toFixed() ?? null,
    currency: product.price?.currency ?? null,
    unitMultiplier: product.unitMultiplier?.toFixed() ?? null,
    managed: product.managed,
  };
}

export function figuresOf(figures: StockFigures) {
  return {
    quantity: figures.quantity?.toFixed() ?? null,
    reserved: figures.reserved?.toFixed() ?? null,
    available: figures.available?.toFixed() ?? null,
  };
}
