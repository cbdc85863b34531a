/** A customer by its ids. null: the side does not have the customer, or it is not known which customer there is the same. */
export interface CustomerIds {
  readonly marketplaceId: number | null;
  readonly erpId: string | null;
}

/** Rows with their columns under the names in the database. Received bodies are texts. */
type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Forgotten {
  /** The number of rows that were deleted or changed, by table. Tables without such rows are left out. */
  readonly rows: Readonly<Record<string, number>>;
  /** The number of orders whose numbers, lines and amounts are kept for the books. */
  readonly orders: number;
}

/**
 * The kinds of entities that are forgotten by age. `erp-orders` are the ERP's orders without an order of the marketplace.
 * `customers` are the customers that both sides have.
 */
export type OldKind = 'orders' | 'erp-orders' | 'customers';

/** A stretch of the rows of a kind, in the order of their keys. */
export interface OldRows {
  /** Entities that have been over since before this time are forgotten. */
  readonly beforeMs: number;
  /** The key of the row before the stretch; empty: the stretch begins with the first row. */
  readonly after: string;
  /** The number of rows to look at. */
  readonly limit: number;
}

/**
 * The fact that changes whenever somebody is forgotten. A text that was made from the rows before then may still name the
 * person.
 */
export const LAST_FORGOTTEN = 'last-forgotten';

/** The data of people that is kept. The guide's page on personal data says why. */
export interface PersonalStore {
  /** The customers that have this id on either side. */
  find(account: string, id: string): Promise<readonly CustomerIds[]>;
  /** All rows about a customer and its orders, by table. Tables without such rows are left out. */
  rows(account: string, ids: CustomerIds): Promise<Readonly<Record<string, Rows>>>;
  /** The numbers of the customer's orders that are not over, at most `limit`. */
  openOrders(account: string, ids: CustomerIds, limit: number): Promise<readonly string[]>;
  /**
   * Deletes all data about people from orders that have been over on both sides for long enough, or from customers whose orders
   * all have. An entity with work left, or with a question to an operator, stays. Answers the keys of the forgotten entities,
   * and the key after which the next stretch begins; null: there is none.
   */
  forgetOld(
    account: string,
    kind: OldKind,
    rows: OldRows,
  ): Promise<{ readonly forgotten: readonly string[]; readonly next: string | null }>;
  /** The number of entities that are forgotten now. */
  forgottenCount(account: string): Promise<{
    readonly orders: number;
    readonly erpOrders: number;
    readonly customers: number;
  }>;
  /**
   * Deletes all data about the person. Ids, links, and the numbers, lines and amounts of the orders stay. The audit log records
   * an act of `by`, with the ids only.
   */
  forget(account: string, ids: CustomerIds, by: string): Promise<Forgotten>;
}
