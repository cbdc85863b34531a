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

/** Both sides of one product. */
export interface ProductSnapshot {
  readonly erp: ErpSide | null;
  /** Why the ERP's last row of it cannot be read. */
  readonly invalidErpRow: string | null;
  /** The listing this product is linked to. */
  readonly linked: { readonly id: number; readonly listing: Listing | null; readonly gone: Gone | null } | null;
  /** Listings that are linked to nothing and name this product. */
  readonly candidates: { readonly byExternalId: readonly Listing[]; readonly bySku: readonly Listing[] };
  /** Listings on sale that have the SKU and are linked to other products of the ERP. */
  readonly othersOfSku: readonly { readonly listing: number; readonly product: string }[];
  /** The listing that another id of the ERP has, and that is the product's by its SKU. */
  readonly inherits: Inherited | null;
  /** Listings on sale that are linked to nothing, name no product, and may be this one. */
  readonly alike: readonly AlikeListing[];
  /** Every listing has been read at least once: only then is "not there" known. */
  readonly listingsKnown: boolean;
  /** Why the listings could not be read once more before one is created; null when they were, or need not be. */
  readonly listingsUnread: string | null;
  /** A create that may have been applied. */
  readonly createInDoubt: boolean;
  /** The fields that the listing should show. */
  readonly wanted: WireFields;
  /** Why the fields of the listing cannot be made. */
  readonly wantedProblem: Cause | null;
  /** The product line of the listing, when it has to be created first. */
  readonly missingLine: MissingLine | null;
  /** The stock figure that goes with another size of a case where the stock counts cases, so that no more units are offered. */
  readonly rescaled: WireFields;
  /** With a larger case, the facilities would offer more units than there are: their stock goes down first. */
  readonly offersTooMuch: boolean;
  /** The price that the ERP keeps of the listing's price is its own: nothing is to be written. */
  readonly isPriceKept: boolean;
  /** Further fields of a create. */
  readonly createFields: WireFields;
  readonly echoes: Echoes;
  /** The time of the look, in epoch milliseconds. */
  readonly nowMs: number;
  /** Why the listing is archived although the ERP sells its product. */
  readonly archivedWhy: ArchivedWhy;
  readonly rules: {
    readonly create: boolean;
    readonly archive: boolean;
    readonly archivedByHand: 'hold' | 'restore';
    readonly currency: string;
    readonly pricePer: UnitsOfSide['pricePer'];
  };
}

/** The word of an operator about a listing that was archived by hand: it is to be listed again, or to stay archived. */
export type ArchiveAnswer = 'asked-back' | 'left';

/** Why a listing is archived although the ERP sells its product. */
export type ArchivedWhy = 'with-erp' | 'by-hand' | ArchiveAnswer;

/** @see Inheritance */
export interface Inherited {
  readonly listing: Listing;
  readonly from: string;
  readonly isSame: boolean;
}

export interface ErpSide extends Pick<StoredErpProduct, 'id' | 'sku' | 'name'> {
  /** The units in a case by which the price is converted; null where nobody says it. */
  readonly multiplier: Multiplier;
  /** The price of the product, and the price that its listing is to have for it. */
  readonly erpPrice: Price<'erp price'>;
  readonly price: Price<'marketplace price'>;
  /** Active, not deleted, and not absent from two complete listings in a row. */
  readonly sold: boolean;
  /** Absent from the last complete listing. One more listing has to confirm that. */
  readonly missing: boolean;
  /** The product is gone from the ERP. */
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
    /** The listing was linked to another id of the ERP. */
    | { readonly action: 'product.relink'; readonly listingId: number }
    | {
        readonly action: 'product.create';
        readonly fields: WireFields;
        /** An earlier create may have been applied, and nothing is to be created any more. */
        readonly adoptOnly: boolean;
      }
    | (Written & { readonly action: 'product.patch' })
    /** The price is a write of its own: a brake may hold it while the rest goes on. */
    | (Written & { readonly action: 'product.price' })
    | { readonly action: 'product.archive'; readonly listingId: number }
    | { readonly action: 'product.restore'; readonly listingId: number }
  );

/** A product line of a brand that the marketplace does not have. */
export interface MissingLine {
  readonly name: string;
  readonly brandId: number;
}
