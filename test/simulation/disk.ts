import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { type CommitEngine, createCommits } from '../../src/store/sql/commits.ts';
import type { Database, Queryable, Readable, Shared } from '../../src/store/sql/database.ts';
import { drizzle, migrate } from '../../src/store/sql/orm.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { sqliteEngine } from '../../src/store/sqlite/commit-engine.ts';
import { SHARED, snapshotOf } from '../../src/store/sqlite/database.ts';
import { keepStatements } from '../../src/store/sqlite/statements.ts';
import type { Running } from './running.ts';

/** The only part of the program that survives a kill: a database, on either engine. */
export interface Disk {
  readonly drizzled: Readable;
  readonly engine: CommitEngine;
  readonly snapshot: Database['snapshot'];
  /** The clock is that of the story. */
  readonly shared: Shared;
  /**
   * The connections of the programs of a story, from the first to the last. A dead program must not write through the
   * connection of the next one.
   */
  readonly connections: Database[];
  /** For the laws, which read the rows as they are. */
  prepare<Values extends unknown[], Row>(
    statement: string,
  ): { get(...values: Values): Row | undefined; all(...values: Values): Row[] };
  /** A copy of the whole disk, on SQLite. */
  copy(): SqliteDatabase.Database;
  empty(): void;
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%migrations'";
let kept: Disk | null = null;

/** The disk as the migrations leave it. All stories of a process use one, since its queries are built only once then. */
export function openDisk(): Disk {
  kept ??= formatDisk();
  kept.empty();
  return kept;
}

/** All stories of this process are on another disk from now on. */
export function keepDisk(disk: Disk): void {
  kept = disk;
}

/** A database of SQLite as the migrations leave it. */
export function formatted(): SqliteDatabase.Database {
  const sqlite = new SqliteDatabase(':memory:');
  migrate(drizzle(sqlite), { migrationsFolder: MIGRATIONS });
  return sqlite;
}

/** The tables that a story writes. */
export function tablesOf(sqlite: SqliteDatabase.Database): string[] {
  return sqlite.prepare<[], string>(TABLES).pluck().all();
}

function formatDisk(): Disk {
  const sqlite = formatted();
  keepStatements(sqlite);
  return {
    drizzled: drizzle(sqlite),
    engine: sqliteEngine(sqlite),
    snapshot: snapshotOf(sqlite),
    shared: SHARED,
    connections: [],
    prepare: <Values extends unknown[], Row>(statement: string) => sqlite.prepare<Values, Row>(statement),
    copy: () => new SqliteDatabase(sqlite.serialize()),
    empty: sqlite.transaction(() => {
      for (const table of tablesOf(sqlite)) sqlite.prepare(`DELETE FROM "${table}"`).run();
    }),
  };
}

/** Another process on the same disk. */
export function openBeside({ drizzled, engine, snapshot, shared }: Disk) {
  const { transaction, note, apart, commitAll } = createCommits<Queryable>(engine, drizzled as Queryable);
  const database: Database = Object.assign(Object.create(drizzled) as Readable, {
    snapshot,
    shared,
    transaction,
    note,
    apart,
  });
  return { store: createStore(database, Date.now), commitAll };
}

/** A promise for a dead program. One promise for all of them would keep all programs in memory. */
const never = () => new Promise<never>(() => {});

/**
 * The database of the real store for one process. Once the process is dead, none of its writes reach the disk.
 * @param number the number of earlier connections of this story
 * @param isAlone no other process works on it
 */
export function connect(
  { drizzled, engine, snapshot, shared, connections }: Disk,
  number: number,
  running: Running,
  { isAlone, onCommit }: { readonly isAlone: boolean; readonly onCommit: () => void },
): Database {
  const commits = createCommits<Queryable>(engine, drizzled as Queryable);
  connections[number] ??= Object.create(drizzled) as Database;
  const { program, alive, effect } = running;
  const committing =
    (commit: typeof commits.transaction) =>
    async <Result>(work: (tx: Queryable) => Result): Promise<Result> => {
      effect('before a commit');
      if (program.isPaused()) await program.resumed();
      const reaching = running.reached();
      if (reaching !== null) await reaching;
      if (!alive()) return never();
      const result = await commit(work);
      onCommit();
      effect('after a commit');
      if (program.isPaused()) await program.resumed();
      return alive() ? result : never();
    };
  return Object.assign(connections[number], {
    snapshot,
    shared: { ...shared, isAlone },
    transaction: committing(commits.transaction),
    note: committing(commits.note),
    apart: commits.apart,
  });
}
