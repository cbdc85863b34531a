import type { Database as Sqlite } from 'better-sqlite3';
import type { CommitEngine } from '../sql/commits.ts';
import { storeError } from './disk-trouble.ts';
import { generationOf } from './read-snapshot.ts';

/** SQLite has one writer at a time, so scopes do not matter. */
export function sqliteEngine(sqlite: Sqlite): CommitEngine {
  const generation = generationOf(sqlite);
  const inTransaction = sqlite.transaction((run: () => unknown) => run());

  return {
    /**
     * Takes the write lock first. A transaction that reads first fails if another process writes before its own write.
     */
    together<Result>(run: () => Result): Result {
      try {
        generation.end();
        return inTransaction.immediate(run) as Result;
      } catch (error) {
        throw storeError(error);
      }
    },
    // Inside a transaction, this is a savepoint.
    alone<Result>(run: () => Result): Result {
      try {
        return inTransaction(run) as Result;
      } catch (error) {
        throw storeError(error);
      }
    },
    // On a full disk, SQLite rolls back the whole transaction.
    isOver: () => !sqlite.inTransaction,
  };
}
