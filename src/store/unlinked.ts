import type { StoredErpProduct } from './erp.ts';
import type { StoredProduct } from './marketplace.ts';

/** A listing on sale without a link. */
export interface UnlinkedListing extends StoredProduct {
  /** An operator said that the listing is no product of the ERP. */
  readonly isApart: boolean;
}

export interface UnlinkedCounts {
  /** The number of listings on sale, without the listings that an operator declared to be no product of the ERP. */
  readonly listings: number;
  /** The number of products that the ERP sells. */
  readonly products: number;
}

/** The listings and the products without a link. */
export interface UnlinkedStore {
  counts(account: string): Promise<UnlinkedCounts>;

  /** The listings in the order of their ids. */
  listings(account: string, afterId: number, limit: number): Promise<UnlinkedListing[]>;

  /** Products that the ERP sells, in the order of their ids. */
  products(account: string, after: string, limit: number): Promise<StoredErpProduct[]>;

  /**
   * Records that a listing is not this product, as an operator said. With `erpId` null, it is no product of the ERP at all. The
   * products that wait for this answer are looked at.
   */
  tellApart(told: { account: string; listingId: number; erpId: string | null }, by: string): Promise<void>;

  /** Takes such a word back, as an operator said. The product is looked at. */
  forgetApart(told: { account: string; listingId: number; erpId: string | null }, by: string): Promise<void>;
}
