import type { StoredErpProduct } from './erp.ts';
import type { StoredProduct } from './marketplace.ts';

/** A listing on sale that nothing is linked to. */
export interface UnlinkedListing extends StoredProduct {
  /** An operator said that it is no product of the ERP. */
  readonly isApart: boolean;
}

export interface UnlinkedCounts {
  /** Listings on sale, without those that an operator said to be no product of the ERP. */
  readonly listings: number;
  /** Products that the ERP sells. */
  readonly products: number;
}

/** What stands alone on either side. */
export interface UnlinkedStore {
  counts(account: string): Promise<UnlinkedCounts>;

  /** By their id. */
  listings(account: string, afterId: number, limit: number): Promise<UnlinkedListing[]>;

  /** Products that the ERP sells, by their id. */
  products(account: string, after: string, limit: number): Promise<StoredErpProduct[]>;

  /** Gives signs to the listings of a database of an earlier version, so that those that may be a product are found. */
  fillSigns(): Promise<void>;

  /**
   * An operator says that a listing is not this product, or, with `erpId` null, no product of the ERP at all. The products that
   * wait for it are looked at.
   */
  tellApart(told: { account: string; listingId: number; erpId: string | null }, by: string): Promise<void>;
}
