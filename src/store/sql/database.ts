import type { SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';

type Drizzle = BetterSQLite3Database;
/** The connection for reads and writes inside a transaction. */
export type Queryable = Pick<
  Drizzle,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'run' | 'get' | 'all'
>;
export type Readable = Pick<Drizzle, 'select' | 'selectDistinct'>;

/** The means by which programs that share a database keep apart. */
export interface Shared {
  /** Only this program adds and removes listings, so it may remember their number. */
  readonly isAlone: boolean;
  /** The time of the shared clock, in epoch milliseconds. `nowMs` is the time of this machine. */
  readonly clockMs: (nowMs: number) => SQL<number>;
  /** Is no other program in a transaction of this account? Then none begins one before the caller's transaction is over. */
  readonly tryLock: (tx: Queryable, account: string) => boolean;
}

/** A function of the store that only reads, and the values that it is called with. */
export interface Reading {
  readonly method: unknown;
  readonly args: readonly unknown[];
}

/** Outside of a transaction, rows are only read. */
export interface Database extends Readable {
  /**
   * Everything that is read inside comes from one state of the database, even while another process writes.
   * @param read may run more than once
   * @param reading the function of the store that runs inside. A database may prefetch the questions of this function.
   */
  snapshot<Result>(read: () => Result, reading?: Reading): Result;
  /** Settles when the commit is on the disk; others may share it. */
  transaction<Result>(work: (tx: Queryable) => Result, scope?: Scope): Promise<Result>;
  /**
   * Writes at once, without waiting for the disk. The write survives a killed process, but perhaps not a machine that goes
   * down. The next transaction brings the write to the disk as well.
   */
  note<Result>(work: (tx: Queryable) => Result, scope?: Scope): Promise<Result>;
  /**
   * Runs a part of the transaction that is under way. When it throws, nothing of the part stays, and the transaction may go on.
   * @throws the error of `run`, as an error of the store where the database refused something
   */
  apart<Result>(run: () => Result): Result;
  readonly shared: Shared;
}

/**
 * The accounts whose rows a transaction reads and writes. `all`: it may be any account. `none`: the rows lock themselves. When
 * several programs write to a database, transactions with an account in common run one after the other. On SQLite all
 * transactions do.
 */
export type Scope = readonly string[] | 'all' | 'none';

/** The scope of a method by its arguments. Nearly every method takes an account, or something with an account, first. */
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
