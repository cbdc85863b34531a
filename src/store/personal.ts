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

/** What is kept of people: the guide's page on personal data says why. */
export interface PersonalStore {
  /** The customers whom this id names on either side. */
  find(account: string, id: string): Promise<readonly CustomerIds[]>;
  /** Everything that is kept of a customer and of its orders, by table; only tables that have some. */
  rows(account: string, ids: CustomerIds): Promise<Readonly<Record<string, Rows>>>;
  /** Numbers of its orders that are not over, at most `limit`. */
  openOrders(account: string, ids: CustomerIds, limit: number): Promise<readonly string[]>;
  /**
   * Takes away everything about the person. Ids, links, and the numbers, lines and amounts of the orders stay. It is noted as
   * an act of `by`, with the ids only.
   */
  forget(account: string, ids: CustomerIds, by: string): Promise<Forgotten>;
}
