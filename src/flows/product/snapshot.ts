import type { Cause } from '../../domain/causes/cause.ts';
import type { Gone } from '../../domain/gone.ts';
import type { Multiplier, Price, UnitsOfSide } from '../../domain/units.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { Echoes } from '../../store/links.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { AlikeListing } from '../../store/observe.ts';
import type { Planned } from '../engine/decision.ts';
import type { WireFields } from '../engine/fields.ts';
import type { SetBack } from '../engine/overwritten.ts';
import type { Braked } from '../engine/policy.ts';

export interface ProductSnapshot {
  readonly erp: ErpSide | null;
  readonly invalidErpRow: string | null;
  readonly linked: { readonly id: number; readonly listing: Listing | null; readonly gone: Gone | null } | null;
  /** Unlinked listings that name this product. */
  readonly candidates: { readonly byExternalId: readonly Listing[]; readonly bySku: readonly Listing[] };
  /** Listings on sale with this SKU that are linked to other ERP products. */
  readonly othersOfSku: readonly { readonly listing: number; readonly product: string }[];
  /** The listing that is linked to another ERP id, but belongs to this product by its SKU. */
  readonly inherits: Inherited | null;
  /** Unlinked listings on sale that name no product and may be this one. */
  readonly alike: readonly AlikeListing[];
  /** All listings were read at least once, so a missing one is known to be missing. */
  readonly listingsKnown: boolean;
  /** Why the listings could not be read before a create. null: they were, or need not be. */
  readonly listingsUnread: string | null;
  /** An earlier create may have been applied. */
  readonly createInDoubt: boolean;
  readonly wanted: WireFields;
  readonly wantedProblem: Cause | null;
  /** Set if the listing's product line must be created first. */
  readonly missingLine: MissingLine | null;
  /** With stock in cases: the figure for the new case size, so that no more units are offered. */
  readonly rescaled: WireFields;
  /** With a larger case, facilities would offer more units than exist, so their stock is lowered first. */
  readonly offersTooMuch: boolean;
  /** The ERP's price is the listing's one as the ERP rounds it, so it is not written. */
  readonly isPriceKept: boolean;
  readonly createFields: WireFields;
  readonly echoes: Echoes;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Why the listing is archived although the ERP sells the product. */
  readonly archiveReason: ArchiveReason;
  readonly rules: {
    readonly create: boolean;
    readonly archive: boolean;
    readonly archivedByHand: 'hold' | 'restore';
    readonly currency: string;
    readonly pricePer: UnitsOfSide['pricePer'];
  };
}

/** An operator's decision about a listing archived by hand. */
export type ArchiveDecision = 'asked-back' | 'left';

export type ArchiveReason = 'with-erp' | 'by-hand' | ArchiveDecision;

/** @see Inheritance */
export interface Inherited {
  readonly listing: Listing;
  readonly from: string;
  readonly isSame: boolean;
}

export interface ErpSide extends Pick<StoredErpProduct, 'id' | 'sku' | 'name'> {
  /** The units in a case for converting the price. null: unknown. */
  readonly multiplier: Multiplier;
  /** The product's price in the ERP, and the resulting price of its listing. */
  readonly erpPrice: Price<'erp price'>;
  readonly price: Price<'marketplace price'>;
  /** Active, not deleted, and not absent from two complete lists in a row. */
  readonly sold: boolean;
  /** Absent from the last complete list. Another list has to confirm it. */
  readonly missing: boolean;
  readonly gone: boolean;
  readonly twins: number;
}

export interface Listing
  extends Pick<
    StoredProduct,
    'id' | 'managed' | 'sku' | 'name' | 'externalId' | 'archived' | 'price' | 'unitMultiplier'
  > {
  readonly invalidRow: string | null;
  readonly fields: WireFields;
}

export interface Written extends SetBack {
  readonly listingId: number;
  readonly fields: WireFields;
}

export type ProductAction = Planned &
  Braked &
  (
    | { readonly action: 'product-line.create'; readonly line: MissingLine }
    | { readonly action: 'product.link'; readonly listingId: number; readonly how: string }
    /** Moves the listing's link from another ERP id to this one. */
    | { readonly action: 'product.relink'; readonly listingId: number }
    | {
        readonly action: 'product.create';
        readonly fields: WireFields;
        /** Only settle an earlier create. */
        readonly adoptOnly: boolean;
      }
    | (Written & { readonly action: 'product.patch' })
    /** A separate write, so that a brake may hold it while the other fields are written. */
    | (Written & { readonly action: 'product.price' })
    | { readonly action: 'product.archive'; readonly listingId: number }
    | { readonly action: 'product.restore'; readonly listingId: number }
  );

export interface MissingLine {
  readonly name: string;
  readonly brandId: number;
}
