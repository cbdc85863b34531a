import { createHash } from 'node:crypto';
import type { CommitEngine } from '../sql/commits.ts';
import type { Scope } from '../sql/database.ts';
import { StoreError } from '../store-error.ts';
import type { Connection } from './connection.ts';
import { MIGRATIONS_APPLIED, newerPostgres } from './migrations.ts';
import { PostgresError } from './postgres-error.ts';

/** The most tries. A retry is safe: the callers have no answer yet, so nothing has left the program. */
const MOST_TRIES = 8;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** Namespace of our advisory locks among those of the server. */
const LOCKS = 0x5b;

/** Releases the savepoint too. Otherwise an enclosing piece would roll back to this savepoint of the same name. */
const GIVE_UP_PIECE = 'rollback to savepoint piece; release savepoint piece';

/** Serialization failure, deadlock, lock timeout. */
const GIVEN_UP = /^(40001|40P01|55P03)$/;

export interface PostgresEngine extends CommitEngine {
  snapshot<Result>(read: () => Result): Result;
  /** Retries `run` after a while if the database aborted the transaction or the connection was lost. */
  tried<Result>(run: () => Result): Result;
}

/**
 * @param migrations those that this program knows. A transaction of an account is refused once the database has more.
 */
export function postgresEngine(connection: Connection, migrations = Number.POSITIVE_INFINITY): PostgresEngine {
  let inSnapshot = false;

  function tried<Result>(run: () => Result): Result {
    for (let tries = 1; ; tries += 1) {
      try {
        return run();
      } catch (error) {
        if (!isOver(error) || tries === MOST_TRIES) throw error;
        pause(Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS));
        connectIfLost(connection, error);
      }
    }
  }

  function commit(): void {
    try {
      connection.commit();
    } catch (error) {
      if (!isLost(error) || error.transaction === null || !wasCommitted(connection, error.transaction)) throw error;
    }
  }

  return {
    together(run, { isDurable, scopes }) {
      return tried(() => {
        const eased = isDurable ? '' : '; set local synchronous_commit = off';
        connection.ahead(`begin isolation level read committed${eased}`);
        try {
          if (lock(connection, scopes) > migrations) throw newerPostgres();
          const result = run();
          commit();
          return result;
        } catch (error) {
          if (!isLost(error)) connection.ahead('rollback');
          throw error;
        }
      });
    },

    alone(run) {
      connection.ahead('savepoint piece');
      try {
        const result = run();
        connection.ahead('release savepoint piece');
        return result;
      } catch (error) {
        if (!isOver(error)) connection.ahead(GIVE_UP_PIECE);
        throw error;
      }
    },

    isOver,
    tried,

    snapshot(read) {
      if (inSnapshot) return read();
      return tried(() => {
        inSnapshot = true;
        connection.ahead('begin isolation level repeatable read, read only');
        try {
          return read();
        } finally {
          inSnapshot = false;
          connection.ahead('rollback');
        }
      });
    },
  };
}

const isLost = (error: unknown): error is PostgresError => error instanceof PostgresError && error.code === null;

/** Two programs that append to the audit log at once get the same number. One of them starts over. */
function isOver(error: unknown): boolean {
  if (!(error instanceof PostgresError)) return false;
  return error.code === null || GIVEN_UP.test(error.code) || error.constraint === 'audit_pkey';
}

function connectIfLost(connection: Connection, error: unknown): void {
  if (!isLost(error)) return;
  try {
    connection.reconnect();
  } catch (again) {
    // The next try finds no connection and waits longer.
    if (!isLost(again)) throw again;
  }
}

function wasCommitted(connection: Connection, transaction: string): boolean {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    pause(Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS));
    try {
      connection.reconnect();
      const [[status] = [null]] = connection.query('select pg_xact_status($1::xid8)', [transaction]).rows;
      if (status === 'committed') return true;
      if (status === 'aborted') return false;
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
  throw new StoreError(
    'the connection to PostgreSQL was lost during a commit, and what became of it cannot be learned',
  );
}

/**
 * Locks all these accounts until the transaction ends, in a fixed order to avoid deadlocks. Work on any account locks
 * out all other work.
 * @returns the number of migrations of the database; 0 if nothing is locked
 */
function lock(connection: Connection, scopes: readonly Scope[]): number {
  const keys = [...new Set(scopes.flatMap((scope) => (scope === 'none' || scope === 'all' ? [] : scope.map(lockOf))))];
  const isAll = scopes.includes('all');
  if (keys.length === 0 && !isAll) return 0;
  const each = keys.toSorted((a, b) => a - b).map((key) => `pg_advisory_xact_lock(${LOCKS}, ${key})`);
  const locks = isAll
    ? `pg_advisory_xact_lock(${LOCKS}, 0)`
    : `pg_advisory_xact_lock_shared(${LOCKS}, 0), ${each.join(', ')}`;
  const [row = []] = connection.query(`select ${MIGRATIONS_APPLIED}, ${locks}`).rows;
  return Number(row[0]);
}

/** The key of an account's advisory lock; 0: all accounts. Two accounts may share a key. */
function lockOf(account: string): number {
  return createHash('sha256').update(account).digest().readInt32BE(0) || 1;
}

/** @returns whether the lock was free. It is then held until the transaction ends. */
export function tryLock(connection: Connection, account: string): boolean {
  const [[free] = []] = connection.query(
    `select pg_try_advisory_xact_lock_shared(${LOCKS}, 0) and pg_try_advisory_xact_lock(${LOCKS}, $1)`,
    [lockOf(account)],
  ).rows;
  return free === 1;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms * (0.5 + Math.random()));
}
