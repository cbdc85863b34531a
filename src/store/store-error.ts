/** A rule of the database that the values of a row break. The database itself is sound. */
export interface BrokenRule {
  /** `unique`: two rows have the same key. `value`: a value of another kind than its column. */
  readonly kind: 'unique' | 'missing' | 'too-large' | 'value';
  /** The table and the last of the columns, where the database names them. */
  readonly table: string | null;
  readonly column: string | null;
}

/** The database cannot be used as it is. The message says why, and what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The database is away or has no room. This state may end at any moment. */
  readonly passes: boolean = false;
  /** The values of a row are at fault, and not the database. null: the database is, or the program. */
  readonly rule: BrokenRule | null = null;
}
