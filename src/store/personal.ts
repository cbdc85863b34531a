/** A customer's ids. null: that side lacks the customer, or the match is unknown. */
export interface CustomerIds {
  readonly marketplaceId: number | null;
  readonly erpId: string | null;
}

/** Rows by database column names. Received bodies are texts. */
type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Forgotten {
  /** Deleted or changed rows by table, without empty tables. */
  readonly rows: Readonly<Record<string, number>>;
  /** Orders whose number, lines and amounts are kept for accounting. */
  readonly orders: number;
}

/** `erp-orders`: without a marketplace order. `customers`: those that both sides have. */
export type OldKind = 'orders' | 'erp-orders' | 'customers';

/** A range of rows of a kind, sorted by key. */
export interface OldRows {
  /** Erases entities that ended before this time. */
  readonly beforeMs: number;
  /** The key before the first row; empty: from the beginning. */
  readonly after: string;
  readonly limit: number;
}

/** Fact that changes with each erasure, because a text made from older rows may still name the person. */
export const LAST_FORGOTTEN = 'last-forgotten';

export interface PersonalStore {
  find(account: string, id: string): Promise<readonly CustomerIds[]>;
  /** By table, without empty tables. */
  rows(account: string, ids: CustomerIds): Promise<Readonly<Record<string, Rows>>>;
  openOrders(account: string, ids: CustomerIds, limit: number): Promise<readonly string[]>;
  /**
   * Deletes personal data from orders that ended on both sides long enough ago, or from customers with only such
   * orders. An entity with pending work or an open question stays. Returns the erased keys and the key after which to
   * continue; null: finished.
   */
  forgetOld(
    account: string,
    kind: OldKind,
    rows: OldRows,
  ): Promise<{ readonly forgotten: readonly string[]; readonly next: string | null }>;
  /** How many entities have been erased. */
  forgottenCount(account: string): Promise<{
    readonly orders: number;
    readonly erpOrders: number;
    readonly customers: number;
  }>;
  /**
   * Ids, links, and the orders' numbers, lines and amounts stay. The audit log records an act of `by` with the ids
   * only.
   */
  forget(account: string, ids: CustomerIds, by: string): Promise<Forgotten>;
}
