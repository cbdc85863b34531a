import type { StoredErpProduct } from './erp.ts';
import type { StoredProduct } from './marketplace.ts';

export interface UnlinkedListing extends StoredProduct {
  /** An operator said that the listing is no ERP product. */
  readonly isApart: boolean;
}

export interface UnlinkedCounts {
  /** Unlinked listings on sale, without those that an operator declared to be no ERP product. */
  readonly listings: number;
  readonly products: number;
}

export interface UnlinkedStore {
  counts(account: string): Promise<UnlinkedCounts>;

  listings(account: string, afterId: number, limit: number): Promise<UnlinkedListing[]>;

  products(account: string, after: string, limit: number): Promise<StoredErpProduct[]>;

  /**
   * Records an operator's decision that a listing is not this product (null: no ERP product at all), and marks the
   * waiting products.
   */
  tellApart(told: { account: string; listingId: number; erpId: string | null }, by: string): Promise<void>;

  /** Reverts such a decision and marks the product. */
  forgetApart(told: { account: string; listingId: number; erpId: string | null }, by: string): Promise<void>;
}
