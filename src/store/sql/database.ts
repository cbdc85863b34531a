import type { SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Scope } from './scope.ts';

type Drizzle = BetterSQLite3Database;
/** The connection for reads and writes inside a transaction. */
export type Queryable = Pick<
  Drizzle,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'run' | 'get' | 'all'
>;
export type Readable = Pick<Drizzle, 'select' | 'selectDistinct'>;

/** What the programs that share a database agree by. */
export interface Shared {
  /** Only this program adds and removes listings, so it may remember how many there are. */
  readonly isAlone: boolean;
  /** The instant of the clock that they share, in epoch milliseconds; `nowMs` is that of this machine. */
  readonly clockMs: (nowMs: number) => SQL<number>;
  /** Whether no other program is in a transaction of this account. None begins one before that of the caller is over. */
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
   * All that is read inside is one state of the database, whichever process writes meanwhile.
   * @param read may run more than once
   * @param reading which function of the store runs inside, for a database that can foretell what it is going to ask
   */
  snapshot<Result>(read: () => Result, reading?: Reading): Result;
  /** Settles when the commit is on the disk; others may share it. */
  transaction<Result>(work: (tx: Queryable) => Result, scope?: Scope): Promise<Result>;
  /**
   * Done at once, without waiting for the disk. The write survives a killed process, but perhaps not a machine that goes
   * down. The next transaction brings it to the disk as well.
   */
  note<Result>(work: (tx: Queryable) => Result, scope?: Scope): Promise<Result>;
  readonly shared: Shared;
}
