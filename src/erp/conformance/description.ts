/** The records of the ERP, as far as the checks need them. Nobody else may touch these records while the checks run. */
export interface ErpDescription {
  /** SKUs of at least two different products with stock, each there once. */
  readonly skus: readonly [string, string, ...string[]];
  readonly currency: string;
  /** Where all products are known: how many there are, so that paging is checked to lose none. */
  readonly productCount?: number;
  /** Ids of products whose rows do not fit the interface. */
  readonly misfitIds?: readonly string[];
  /** It lists payments and takes them. */
  readonly payments?: boolean;
  /** Does what people do who ship an order, where a script can do it. */
  readonly ship?: (orderId: string) => Promise<void>;
}

/** A promise as a sentence, and its proof, which throws an AssertionError that says how the promise is broken. */
export type Check = readonly [promise: string, run: () => Promise<void>];
