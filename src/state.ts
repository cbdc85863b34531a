import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import type { Config } from './config/resolve.ts';
import type { Log } from './logging.ts';
import { operatorName } from './operator.ts';
import { migrationAct } from './store/sql/audit.ts';
import { createStore } from './store/sql/store.ts';
import { openDatabase, openDatabaseForReading } from './store/sqlite/database.ts';
import type { Store } from './store/store.ts';

/** The stores in the data folder. */
export interface OpenStore {
  readonly dir: string;
  readonly store: Store;
  /** It was made just now. */
  readonly isNew: boolean;
  /** The migrations applied now, and the backup that was taken before them; null: it was new, or none was needed. */
  readonly migrated: { readonly count: number; readonly backup: string | null };
  /** Gives some of the space that was let go of back to the disk. */
  giveBackSpace(): void;
  close(): void;
}

export async function openStore(config: Config, log: Log): Promise<OpenStore> {
  mkdirSync(config.state.dir, { recursive: true, mode: 0o700 });
  const dir = realpathSync(config.state.dir);
  const { db, migrated, isNew, giveBackSpace, close } = await openDatabase(dir);
  const { count, backup } = migrated;
  const store = createStore(db, Date.now);
  if (count > 0) {
    await store.unlinked.fillSigns();
    await store.audit.add(migrationAct(migrated, operatorName()));
    log.info({ count, backup }, 'the database was migrated');
  }
  return { dir, store, isNew, migrated, giveBackSpace, close };
}

/** For a database that cannot be opened for writing: every write is refused with `why`. */
export function openStoreForReading(config: Config, why: Error): OpenStore {
  const dir = realpathSync(config.state.dir);
  const { db, migrated, giveBackSpace, close } = openDatabaseForReading(dir, why);
  return { dir, store: createStore(db, Date.now), isNew: false, migrated, giveBackSpace, close };
}

/** Keeps installations that share a Redis apart. */
export function queuePrefix(dir: string): string {
  return `stockbridge-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
}
