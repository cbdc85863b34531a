import type { Database as Sqlite } from 'better-sqlite3';
import type { CommitEngine } from '../sql/commits.ts';
import { storeError } from './disk-trouble.ts';
import { generationOf } from './read-snapshot.ts';

/** SQLite lets one write at a time, so the scopes of transactions do not matter. */
export function sqliteEngine(sqlite: Sqlite): CommitEngine {
  let isFull: boolean | null = null;
  const generation = generationOf(sqlite);
  const inTransaction = sqlite.transaction((run: () => unknown) => run());

  function waitForDisk(full: boolean): void {
    if (isFull === full) return;
    sqlite.exec(`pragma synchronous = ${full ? 'full' : 'normal'}`);
    isFull = full;
  }

  return {
    /**
     * Takes the writer's lock at its start: a transaction that reads first and writes later fails when another process wrote
     * in between.
     */
    together<Result>(run: () => Result, { isDurable }: { readonly isDurable: boolean }): Result {
      try {
        generation.end();
        waitForDisk(isDurable);
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
    // On a full disk, SQLite gives up everything since the last commit.
    isOver: () => !sqlite.inTransaction,
  };
}
