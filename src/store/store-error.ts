/** The database cannot be used as it is; the message says why and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The database is away or has no room, which may be over any moment. */
  readonly passes: boolean = false;
}
