import { statSync } from 'node:fs';
import type { Database as Sqlite } from 'better-sqlite3';
import type { CommitEngine } from '../sql/commits.ts';
import { FileGoneError, NewerVersionError } from '../store-error.ts';
import { sqliteEngine } from './commit-engine.ts';
import type { LogSync } from './log-sync.ts';
import { schemaVersions } from './schema.ts';

/** How often the file is checked. */
const LOOK_EVERY_MS = 1_000;

/**
 * Refuses every transaction once the open file is no longer the database: it was removed or replaced, or a newer
 * version changed its tables.
 */
export function guardedEngine(sqlite: Sqlite, path: string, migrationsDir: string, log: LogSync | null): CommitEngine {
  const engine = sqliteEngine(sqlite);
  const file = identityOf(path);
  const schemaVersion = sqlite.prepare<[], number>('pragma schema_version').pluck();
  const schemaNow = () => schemaVersion.get();
  let schema = schemaNow();
  let lookAtMs = performance.now() + LOOK_EVERY_MS;

  function refuseNewer(): void {
    const now = schemaNow();
    if (now === schema) return;
    if (schemaVersions(sqlite, migrationsDir).newer) throw newerSqlite(path);
    schema = now;
  }

  function refuseGone(): void {
    if (performance.now() < lookAtMs) return;
    const now = identityOf(path);
    if (now === null) throw new FileGoneError(path, 'removed');
    if (now !== file) throw new FileGoneError(path, 'replaced');
    lookAtMs = performance.now() + LOOK_EVERY_MS;
  }

  return {
    ...engine,
    ...(log === null ? {} : { toDisk: log.toDisk }),
    together(run, how) {
      refuseGone();
      log?.mend();
      // Inside the transaction, no other program can change the tables.
      const guarded = () => {
        refuseNewer();
        return run();
      };
      return engine.together(guarded, how);
    },
  };
}

export function newerSqlite(path: string): NewerVersionError {
  return new NewerVersionError(path, ' (backup-before-migration-*.db in the same folder).');
}

/** null: no file. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}
