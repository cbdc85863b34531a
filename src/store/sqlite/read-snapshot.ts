import type { Database as Sqlite } from 'better-sqlite3';
import { beginGeneration, endGeneration } from '../sql/snapshot-cache.ts';

interface Generation {
  read<Result>(run: () => Result): Result;
  end(): void;
}

const generations = new WeakMap<Sqlite, Generation>();

/**
 * The reads of a connection that share one state of the database. Concurrent looks ask many, often equal, questions in
 * one turn of the event loop, so they share a transaction that asks each once. It ends before the next message, whose
 * sender may have written to the database, and before a write of this connection.
 */
export function generationOf(sqlite: Sqlite): Generation {
  const generation = generations.get(sqlite) ?? open(sqlite);
  generations.set(sqlite, generation);
  return generation;
}

function open(sqlite: Sqlite): Generation {
  const [begin, commit] = [sqlite.prepare('begin'), sqlite.prepare('commit')];
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    endGeneration(sqlite);
    // After some errors, SQLite has ended the transaction itself.
    if (sqlite.open && sqlite.inTransaction) commit.run();
  };
  return {
    read(run) {
      // Inside a write, its transaction is the one state.
      if (!sqlite.inTransaction) {
        begin.run();
        isOpen = true;
        beginGeneration(sqlite);
        process.nextTick(end);
      }
      return run();
    },
    end,
  };
}
