import type { Database as Sqlite } from 'better-sqlite3';
import { beginGeneration, endGeneration } from '../sql/snapshot-cache.ts';

interface Generation {
  /** Reads one state of the database. */
  read<Result>(run: () => Result): Result;
  /** The next read sees the present state. */
  end(): void;
}

const generations = new WeakMap<Sqlite, Generation>();

/**
 * The reads of a connection that share one state of the database. A look asks for many things in one turn of the loop, and other looks
 * ask in the same turn. All of them are in one transaction, in which the same question is asked once. It ends before the loop takes
 * the next message, because the sender of that message may have written to the database. It also ends before a write of this
 * connection.
 */
export function generationOf(sqlite: Sqlite): Generation {
  const known = generations.get(sqlite) ?? open(sqlite);
  generations.set(sqlite, known);
  return known;
}

function open(sqlite: Sqlite): Generation {
  const [begin, commit] = [sqlite.prepare('begin'), sqlite.prepare('commit')];
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    endGeneration(sqlite);
    // After some errors, SQLite has ended the transaction by itself.
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
