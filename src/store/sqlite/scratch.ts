import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { CommitEngine } from '../sql/commits.ts';
import { drizzle } from '../sql/orm.ts';
import { createStore } from '../sql/store.ts';
import type { Store } from '../store.ts';
import type { WorkKey } from '../work.ts';
import { sqliteEngine } from './commit-engine.ts';
import { copyPages } from './copy.ts';
import { connected, databasePath, openToRead } from './database.ts';

/** Enough for the pages that a rehearsal of a usual catalogue changes. */
const CACHE_KIB = 65_536;
const PIECES_A_COMMIT = 1_000;

export interface Scratch {
  readonly store: Store;
  /** Deletes all other work of the account. Returns how many keys were pending. */
  keepWork(account: string, keys: readonly Pick<WorkKey, 'flow' | 'key'>[]): number;
  close(): void;
}

/**
 * A copy of the data folder's store, to try things on. Its file is unlinked once complete; only a program killed while
 * copying leaves it.
 * @param now epoch milliseconds
 */
export async function openScratch(dir: string, now: () => number): Promise<Scratch> {
  const file = join(dir, `scratch-${process.pid}-${randomUUID()}.db`);
  const original = openToRead(databasePath(dir));
  try {
    await copyPages(original, file);
    const sqlite = new SqliteDatabase(file);
    // A journal file would need the unlinked file's name.
    sqlite.pragma('journal_mode = MEMORY');
    sqlite.pragma(`cache_size = -${CACHE_KIB}`);
    return scratchOf(sqlite, now);
  } finally {
    original.close();
    rmSync(file, { force: true });
  }
}

export function scratchOf(sqlite: SqliteDatabase.Database, now: () => number): Scratch {
  const { db, close } = connected(sqlite, drizzle(sqlite), scratchEngine(sqlite));
  return { store: createStore(db, now), keepWork: keepWork(sqlite), close };
}

function keepWork(sqlite: SqliteDatabase.Database): Scratch['keepWork'] {
  return (account, keys) => {
    const keptKeys = JSON.stringify(keys.map(({ flow, key }) => [flow, key]));
    const others = `account = ? and (flow, key) not in (select value ->> 0, value ->> 1 from json_each(?))`;
    const pending = sqlite.prepare(`select count(*) from work where state = 'pending' and ${others}`).pluck();
    const count = Number(pending.get(account, keptKeys));
    sqlite.prepare(`delete from work where ${others}`).run(account, keptKeys);
    return count;
  };
}

/**
 * Nobody else sees the copy, and it is discarded. So no commit waits for the disk, and commits are rare: the journal is
 * in memory.
 */
function scratchEngine(sqlite: SqliteDatabase.Database): CommitEngine {
  sqlite.pragma('synchronous = OFF');
  const { alone, isOver } = sqliteEngine(sqlite);
  let pieces = 0;
  return {
    together<Result>(run: () => Result): Result {
      if (!sqlite.inTransaction) sqlite.exec('begin');
      else if (pieces % PIECES_A_COMMIT === 0) sqlite.exec('commit; begin');
      pieces += 1;
      return alone(run);
    },
    alone,
    isOver,
  };
}
