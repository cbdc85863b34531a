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
  override readonly name: string = 'StoreError';
  /** The database is away or has no room. This state may end at any moment. */
  readonly passes: boolean = false;
  /** The values of a row are at fault, and not the database. null: the database is, or the program. */
  readonly rule: BrokenRule | null = null;
}

/** A newer version of the program has changed the tables. This version may not work on them. */
export class NewerVersionError extends StoreError {
  override readonly name = 'NewerVersionError';
  override readonly passes = true;

  /** @param place the file of the database, or its server */
  constructor(place: string, backup: string) {
    super(
      `${place} was written by a newer version of stockbridge (it has schema changes this version does not know). Start that version, or restore the backup that was taken before it was upgraded${backup}`,
    );
  }
}

/** The file of the database is gone, or another file is in its place. A write would be lost now. */
export class FileGoneError extends StoreError {
  override readonly name = 'FileGoneError';
  override readonly passes = true;

  constructor(path: string, how: 'removed' | 'replaced') {
    const advice = `Nothing more is written. Stop the program, put the file or a backup in its place ("stockbridge restore FILE"), and start it again.`;
    super(`${path} was ${how} while the program has it open. ${advice}`);
  }
}

/** Our own code fails on every row of a page, so no row is at fault. Nothing of the page was stored, and its list stops. */
export class EveryRowFails extends Error {
  override readonly name = 'EveryRowFails';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
