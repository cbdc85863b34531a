/** A database rule that a row's values violate. The database itself is sound. */
export interface BrokenRule {
  /** `unique`: a duplicate key. `value`: a value of the wrong kind. */
  readonly kind: 'unique' | 'missing' | 'too-large' | 'value';
  /** The table and the last column, if the database names them. */
  readonly table: string | null;
  readonly column: string | null;
}

/** The database cannot be used. The message says why, and what to do. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
  /** True if the state may end by itself: the database is unreachable or has no room. */
  readonly passes: boolean = false;
  /** The violated rule if a row's values are at fault; null: the database or the program is. */
  readonly rule: BrokenRule | null = null;
}

/** A newer program version has changed the tables, so this one must not use them. */
export class NewerVersionError extends StoreError {
  override readonly name = 'NewerVersionError';
  override readonly passes = true;

  /** @param place the database's file or server */
  constructor(place: string, backup: string) {
    super(
      `${place} was written by a newer version of stockbridge (it has schema changes this version does not know). Start that version, or restore the backup that was taken before it was upgraded${backup}`,
    );
  }
}

/** The database file was removed or replaced. A write would be lost. */
export class FileGoneError extends StoreError {
  override readonly name = 'FileGoneError';
  override readonly passes = true;

  constructor(path: string, how: 'removed' | 'replaced') {
    const advice = `Nothing more is written. Stop the program, put the file or a backup in its place ("stockbridge restore FILE"), and start it again.`;
    super(`${path} was ${how} while the program has it open. ${advice}`);
  }
}

/**
 * Our own code fails on every row of a page, so no row is at fault. Nothing of the page was stored, and its list stops.
 */
export class PageError extends Error {
  override readonly name = 'PageError';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
