/** The database cannot be used as it is. The message says why, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The database is away or has no room. This state may end at any moment. */
  readonly passes: boolean = false;
}
