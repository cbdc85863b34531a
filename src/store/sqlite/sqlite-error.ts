import SqliteDatabase from 'better-sqlite3';
import { StoreError } from '../store-error.ts';

/** The disk is full or fails, the file cannot be opened or is damaged, or another program keeps writing. */
const PASSES = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|BUSY)/;

/** A read or a transaction failed. The message is SQLite's. */
export class SqliteError extends StoreError {
  override readonly passes: boolean;
  /** SQLite's name for the error, such as SQLITE_FULL. */
  readonly code: string;

  constructor(cause: InstanceType<typeof SqliteDatabase.SqliteError>) {
    super(cause.message, { cause });
    this.code = cause.code;
    this.passes = PASSES.test(cause.code);
  }
}

/** The store's error for an error of SQLite's driver. Every other error stays as it is. */
export function storeError(error: unknown): unknown {
  return error instanceof SqliteDatabase.SqliteError ? new SqliteError(error) : error;
}
