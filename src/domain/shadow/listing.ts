import { decimalOf } from '../decimal.ts';
import type { Shift } from '../drift.ts';
import type { MarketplaceProduct, StockFigures } from '../product.ts';
import type { OpenDrift } from './open-drift.ts';
import { type Due, hasFields } from './row.ts';
import type { UnseenSale } from './unseen-sales.ts';

/** Decimals are exact text. */
export type ListingRow = ReturnType<typeof contentOf> &
  ListingFigures & {
    readonly id: number;
    readonly archived: boolean;
    readonly modified: string | null;
    readonly createdOn: string | null;
    /** The body as received, lossless. */
    readonly raw: string;
    readonly seenAtMs: number;
  };

/** The observed figures, moved by the orders seen since. */
export interface ListingFigures extends ReturnType<typeof figuresOf> {
  /** False if it is unknown whether the figures already include a recent order change. */
  readonly certain: boolean;
  /** The tick at which the figures were observed. */
  readonly observedTick: number;
  /** The tick at which orders released units. These are offered again after a read of the orders that began later. */
  readonly releasedTick: number;
  /** Units reserved by unknown orders at that observation. */
  readonly unexplained: string;
  /**
   * The part of `unexplained` that an observation at least a minute earlier showed too, and that no newer order
   * explains.
   */
  readonly unseen: string;
}

export interface Listing {
  /** undefined: the listing is new. */
  readonly row: ListingRow | undefined;
  readonly erpId: string | null;
  /** The recorded difference that is not classified yet. */
  readonly drift: OpenDrift | null;
  /** Those that are open or in doubt. */
  readonly unseenSales: readonly UnseenSale[];
}

/** The rows that an event changes, and the work that it causes. */
export interface ListingChange {
  readonly row?: ListingRow;
  /** The changed columns, if the other columns stay. */
  readonly figures?: ListingFigures;
  readonly drift?: OpenDrift | null;
  readonly unseenSales?: readonly UnseenSale[];
  readonly due: readonly Due[];
}

/** Returns whether the product equals the stored row and the row is certain. The time of the change is ignored. */
export function isAsKnown(before: ListingRow | undefined, product: MarketplaceProduct): before is ListingRow {
  if (before?.certain !== true) return false;
  const archived = product.archived ?? before.archived;
  return hasFields(before, { ...contentOf(product), archived, ...figuresOf(product.figures) });
}

/** Returns the figures that orders move. null: one of them is unknown. */
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
