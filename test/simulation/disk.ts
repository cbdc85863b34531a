import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { createCommits } from '../../src/store/sql/commits.ts';
import type { Database, Queryable, Readable } from '../../src/store/sql/database.ts';
import { drizzle, migrate } from '../../src/store/sql/orm.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { sqliteEngine } from '../../src/store/sqlite/commit-engine.ts';
import { SHARED, snapshotOf } from '../../src/store/sqlite/database.ts';
import { keepStatements } from '../../src/store/sqlite/statements.ts';
import type { Running } from './running.ts';

/** What is left of the program when it is killed. */
export interface Disk {
  readonly sqlite: SqliteDatabase.Database;
  readonly drizzled: ReturnType<typeof openDrizzle>;
  /** What the programs of a story read and write it by, first to last: a dead one must not write by that of the next. */
  readonly connections: Database[];
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const EMPTIED = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%migrations'";
let kept: Disk | null = null;

/** The disk as the migrations leave it. All stories of a process use one, since its queries are built only once then. */
export function openDisk(): Disk {
  kept ??= formatDisk();
  const { sqlite } = kept;
  sqlite.transaction(() => {
    const tables = sqlite.prepare(EMPTIED).pluck().all();
    for (const table of tables) sqlite.prepare(`DELETE FROM "${String(table)}"`).run();
  })();
  return kept;
}

function formatDisk(): Disk {
  const sqlite = new SqliteDatabase(':memory:');
  migrate(drizzle(sqlite), { migrationsFolder: MIGRATIONS });
  keepStatements(sqlite);
  return { sqlite, drizzled: openDrizzle(sqlite), connections: [] };
}

function openDrizzle(sqlite: SqliteDatabase.Database) {
  return drizzle(sqlite);
}

/** Another process on the same disk. */
export function openBeside({ sqlite, drizzled }: Disk) {
  const { transaction, note, commitAll } = createCommits<Queryable>(sqliteEngine(sqlite), drizzled);
  const database: Database = Object.assign(Object.create(drizzled) as Readable, {
    snapshot: snapshotOf(sqlite),
    shared: SHARED,
    transaction,
    note,
  });
  return { store: createStore(database, Date.now), commitAll };
}

/** What a dead program waits for. One for all of them would keep all of them in memory. */
const never = () => new Promise<never>(() => {});

/**
 * The real store's database, as one process sees it; once that is dead, nothing it still wants is written.
 * @param number how many connections of this story there were before
 * @param isAlone no other process works on it
 */
export function connect(
  { sqlite, drizzled, connections }: Disk,
  number: number,
  running: Running,
  { isAlone, onCommit }: { readonly isAlone: boolean; readonly onCommit: () => void },
): Database {
  const commits = createCommits<Queryable>(sqliteEngine(sqlite), drizzled);
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
    snapshot: snapshotOf(sqlite),
    shared: { ...SHARED, isAlone },
    transaction: committing(commits.transaction),
    note: committing(commits.note),
  });
}
