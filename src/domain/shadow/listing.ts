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

/** The figures as observed, moved on by the orders seen since. */
export interface ListingFigures extends ReturnType<typeof figuresOf> {
  /** False when an order event may or may not be in the figures already. */
  readonly certain: boolean;
  /** When they were observed, on this installation's own counter of reads. */
  readonly observedTick: number;
  /** Orders let go of units of it: those are offered again by a read of the orders that began after this tick. */
  readonly releasedTick: number;
  /** Reserved by orders that are not known here, at that observation. */
  readonly unexplained: string;
  /** So much of it was at an observation long before that one, too, and is of no order that became known since. */
  readonly unseen: string;
}

/** Everything that the shadow has of one listing. */
export interface Listing {
  /** undefined: it was not known. */
  readonly row: ListingRow | undefined;
  /** The ERP's product that it is linked to. */
  readonly erpId: string | null;
  /** The difference that is not judged yet. */
  readonly drift: OpenDrift | null;
  /** The unseen sales of its product that are open or in doubt. */
  readonly unseenSales: readonly UnseenSale[];
}

/** The rows that an event makes anew, and the entities to look at because of it. */
export interface ListingChange {
  readonly row?: ListingRow;
  /** These columns of the row, where the others stay. */
  readonly figures?: ListingFigures;
  readonly drift?: OpenDrift | null;
  readonly unseenSales?: readonly UnseenSale[];
  readonly due: readonly Due[];
}

/** Does it show what the shadow has and is sure of, whenever it was modified? */
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
