import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';

type Drizzle = BetterSQLite3Database;
/** The connection for reads and writes inside a transaction. */
export type Queryable = Pick<
  Drizzle,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'run' | 'get' | 'all'
>;
export type Readable = Pick<Drizzle, 'select' | 'selectDistinct'>;
/** Outside of a transaction, rows are only read. */
export interface Database extends Readable {
  /** All that is read inside is one state of the database, whichever process writes meanwhile. */
  snapshot<Result>(read: () => Result): Result;
  /** Settles when the commit is on the disk; others may share it. */
  transaction<Result>(work: (tx: Queryable) => Result): Promise<Result>;
  /**
   * Done at once, without waiting for the disk. The write survives a killed process, but perhaps not a machine that goes
   * down. The next transaction brings it to the disk as well.
   */
  note<Result>(work: (tx: Queryable) => Result): Promise<Result>;
}
