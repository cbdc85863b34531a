import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { errorCode } from '../../domain/error-code.ts';
import { type BrokenRule, StoreError } from '../store-error.ts';
import { LockHeldError } from './lock.ts';
import { readOnlyTrouble } from './read-only.ts';

/** The disk is full or failing, the file is inaccessible or damaged, or another program keeps writing. */
const PASSES = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|BUSY)/;

/** The message is SQLite's. */
export class SqliteError extends StoreError {
  override readonly passes: boolean;
  /** SQLite's error code, such as SQLITE_FULL. */
  readonly code: string;
  override readonly rule: BrokenRule | null;

  constructor(cause: InstanceType<typeof SqliteDatabase.SqliteError>) {
    super(cause.message, { cause });
    this.code = cause.code;
    this.passes = PASSES.test(cause.code);
    this.rule = ruleOf(cause);
  }
}

const RULES: readonly (readonly [RegExp, BrokenRule['kind']])[] = [
  [/^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)$/, 'unique'],
  [/^SQLITE_CONSTRAINT_NOTNULL$/, 'missing'],
  [/^SQLITE_TOOBIG$/, 'too-large'],
  [/^SQLITE_(CONSTRAINT|MISMATCH)/, 'value'],
];

/** SQLite names the columns: `UNIQUE constraint failed: order_lines.account, order_lines.line_id`. */
function ruleOf({ code, message }: InstanceType<typeof SqliteDatabase.SqliteError>): BrokenRule | null {
  const kind = RULES.find(([pattern]) => pattern.test(code))?.[1];
  if (kind === undefined) return null;
  const [, table = null, column = null] = /(\w+)\.(\w+)$/.exec(message) ?? [];
  return { kind, table, column };
}

/** Converts an error of SQLite's driver into a StoreError. Others are unchanged. */
export function storeError(error: unknown): unknown {
  return error instanceof SqliteDatabase.SqliteError ? new SqliteError(error) : error;
}

const NO_ROOM = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/;
const NOT_ALLOWED =
  /^(SQLITE_(READONLY|CANTOPEN|PERM|IOERR_ACCESS)\b|SQLITE_(READONLY|CANTOPEN)_|EACCES$|EPERM$|EROFS$)/;
const FAILING = /^(SQLITE_IOERR|EIO$)/;

/** What to do if the disk or its permissions are at fault, not the database; null for other errors. */
export function diskTrouble(error: unknown, folder: string): string | null {
  const code = errorCode(error) ?? '';
  if (NO_ROOM.test(code)) return `Free some space on the disk of ${folder}`;
  if (NOT_ALLOWED.test(code)) {
    const allow = `Let the user that runs stockbridge write in ${folder} and to the files in it`;
    return readOnlyTrouble(error, folder) ?? allow;
  }
  return FAILING.test(code) ? `The disk of ${folder} fails: look into the log of the system` : null;
}

/** Adds advice to a command's database error, where SQLite's text has none. */
export function withAdvice(error: unknown, path: string): unknown {
  const failure = storeError(error);
  if (!(failure instanceof SqliteError)) return error;
  if (failure.code === 'SQLITE_BUSY') {
    return new LockHeldError(`another process keeps writing to ${path}: try again`, { cause: error });
  }
  const trouble = diskTrouble(failure, dirname(path));
  if (trouble === null) return error;
  return new StoreError(`${path} cannot be written: ${failure.message}. ${trouble}`, { cause: error });
}
