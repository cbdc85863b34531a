/** A customer by its ids; null where a side does not have it, or it is not known which one it is there. */
export interface CustomerIds {
  readonly marketplaceId: number | null;
  readonly erpId: string | null;
}

/** Columns by their names in the database; what was received is text. */
type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Forgotten {
  /** How many rows were taken away or changed, by table; only those where there were some. */
  readonly rows: Readonly<Record<string, number>>;
  /** Orders that are kept for the accounts: their numbers, lines and amounts. */
  readonly orders: number;
}

/** What is forgotten by its age. `erp-orders`: those without an order of the marketplace. `customers`: those that both sides have. */
export type OldKind = 'orders' | 'erp-orders' | 'customers';

/** A stretch of the rows of a kind, in the order of their keys. */
export interface OldRows {
  /** What has been over since before then is forgotten. */
  readonly beforeMs: number;
  /** The key of the row before the stretch; empty: it is the first one. */
  readonly after: string;
  /** So many rows are looked at. */
  readonly limit: number;
}

/** The fact that changes whenever somebody is forgotten: what was made of the rows before then may still name the person. */
export const LAST_FORGOTTEN = 'last-forgotten';

/** What is kept of people: the guide's page on personal data says why. */
export interface PersonalStore {
  /** The customers whom this id names on either side. */
  find(account: string, id: string): Promise<readonly CustomerIds[]>;
  /** Everything that is kept of a customer and of its orders, by table; only tables that have some. */
  rows(account: string, ids: CustomerIds): Promise<Readonly<Record<string, Rows>>>;
  /** Numbers of its orders that are not over, at most `limit`. */
  openOrders(account: string, ids: CustomerIds, limit: number): Promise<readonly string[]>;
  /**
   * Takes away everything about the people of orders that are over on both sides, or of customers whose orders all are, for so
   * long. What waits to be done or for a person stays. Answers the keys, and where the next stretch begins; null: nowhere.
   */
  forgetOld(
    account: string,
    kind: OldKind,
    rows: OldRows,
  ): Promise<{ readonly forgotten: readonly string[]; readonly next: string | null }>;
  /** How many are forgotten now. */
  forgottenCount(account: string): Promise<{
    readonly orders: number;
    readonly erpOrders: number;
    readonly customers: number;
  }>;
  /**
   * Takes away everything about the person. Ids, links, and the numbers, lines and amounts of the orders stay. It is noted as
   * an act of `by`, with the ids only.
   */
  forget(account: string, ids: CustomerIds, by: string): Promise<Forgotten>;
}
