import type { SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';

type Drizzle = BetterSQLite3Database;
export type Queryable = Pick<
  Drizzle,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'run' | 'get' | 'all'
>;
export type Readable = Pick<Drizzle, 'select' | 'selectDistinct'>;

/** How programs that share a database exclude each other. */
export interface Shared {
  /** Only this program adds and removes listings, so it may cache their number. */
  readonly isAlone: boolean;
  /** The shared clock in epoch milliseconds. `nowMs` is this machine's clock. */
  readonly clockMs: (nowMs: number) => SQL<number>;
  /**
   * Returns whether no other program is in a transaction of this account. None then starts one before the caller's
   * ends.
   */
  readonly tryLock: (tx: Queryable, account: string) => boolean;
  /** The highest id of the audit log that was ever given. */
  readonly lastAuditId: SQL<number | null>;
  /** The column that names a row within a transaction. */
  readonly rowId: SQL<string | number>;
}

export interface Reading {
  readonly method: unknown;
  readonly args: readonly unknown[];
}

/** Outside of a transaction, only reads are possible. */
export interface Database extends Readable {
  /**
   * All reads inside see one state, even while another process writes.
   * @param read may run more than once
   * @param reading the store function inside, whose questions a database may prefetch
   */
  snapshot<Result>(read: () => Result, reading?: Reading): Result;
  /** Resolves when the commit is on disk. Others may share it. */
  transaction<Result>(work: (tx: Queryable) => Result, scope?: Scope): Promise<Result>;
  /**
   * Does not wait for the disk: the write survives a killed process, but perhaps not a power loss. The next transaction
   * brings it to disk.
   */
  note<Result>(work: (tx: Queryable) => Result, scope?: Scope): Promise<Result>;
  /**
   * If this part of the transaction throws, it is rolled back and the transaction may continue.
   * @throws the error of `run`; a StoreError if the database refused something
   */
  apart<Result>(run: () => Result): Result;
  readonly shared: Shared;
}

/**
 * The accounts of a transaction. `all`: any. `none`: the rows lock themselves. Transactions with a common account run
 * one after the other; on SQLite, all do.
 */
export type Scope = readonly string[] | 'all' | 'none';

/** The scope of a call. Nearly every method's first argument is or has an account. */
export function scopeOf(args: readonly unknown[]): Scope {
  const [first] = args;
  if (typeof first === 'string') return [first];
  const accounts = (Array.isArray(first) ? first : [first]).map(accountOf);
  return accounts.every((account) => account !== null) ? [...new Set(accounts)].toSorted() : 'all';
}

function accountOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('account' in value)) return null;
  return typeof value.account === 'string' ? value.account : null;
}
