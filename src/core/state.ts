import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import type { Config } from '../config/resolve.ts';
import type { Log } from '../logging/logging.ts';
import { operatorName } from '../machine/operator.ts';
import type { LeaseStore } from '../store/leases.ts';
import { openPostgres } from '../store/postgres/open.ts';
import { migrationAct } from '../store/sql/audit.ts';
import { createStore } from '../store/sql/store.ts';
import { openDatabase, openDatabaseForReading } from '../store/sqlite/database.ts';
import type { Store } from '../store/store.ts';

/** The store, and the folder for everything that belongs to this machine. */
export interface OpenStore {
  readonly dir: string;
  readonly store: Store;
  /**
   * The leases that tell which daemon works which account; null: the folder's lock proves that this process works all
   * accounts.
   */
  readonly leases: LeaseStore | null;
  /** The leases on a connection of their own, which waits for no other work; null like `leases`. */
  readonly leasesApart: (() => Promise<Apart>) | null;
  /** The store for work under a lease. Its writes are refused with LeaseLost once the lease is over. */
  fenced(account: string, fence: number): Store;
  /** The name of this data, for all programs that share it. */
  readonly installation: string;
  /** The database was made just now. */
  readonly isNew: boolean;
  /**
   * The migrations that were applied now, and the backup from before; null: the database was new, or no migration was needed.
   */
  readonly migrated: { readonly count: number; readonly backup: string | null };
  /** Gives some of the freed space back to the disk. */
  giveBackSpace(): void;
  close(): void;
}

export interface Apart {
  readonly leases: LeaseStore;
  close(): Promise<void>;
}

/** @param mayUpgrade also upgrade a database in PostgreSQL that an older version wrote */
export async function openStore(config: Config, log: Log, mayUpgrade = true): Promise<OpenStore> {
  const { dir: folder, postgres } = config.state;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dir = realpathSync(folder);
  const opened = postgres === null ? await onSqlite(dir) : await onPostgres(dir, postgres, mayUpgrade);
  const { store, migrated } = opened;
  if (migrated.count > 0) {
    await store.audit.add(migrationAct(migrated, operatorName()));
    log.info(migrated, 'the database was migrated');
  }
  return opened;
}

async function onSqlite(dir: string): Promise<OpenStore> {
  return alone(dir, await openDatabase(dir));
}

/** A store in a folder whose lock proves that this process works all accounts. */
function alone(dir: string, opened: ReturnType<typeof openDatabaseForReading>): OpenStore {
  const { db, sqlite: _, ...rest } = opened;
  const store = createStore(db, Date.now);
  return { dir, store, leases: null, leasesApart: null, fenced: () => store, installation: dir, ...rest };
}

async function onPostgres(dir: string, url: string, mayUpgrade: boolean): Promise<OpenStore> {
  const { store, fenced, migrated, close } = await openPostgres(url, Date.now, mayUpgrade);
  const { count, isNew, installation } = migrated;
  return {
    dir,
    store,
    leases: store.leases,
    async leasesApart() {
      const apart = await openPostgres(url, Date.now, false);
      return { leases: apart.store.leases, close: apart.close };
    },
    fenced,
    installation,
    isNew,
    migrated: { count, backup: null },
    giveBackSpace: () => {},
    close: () => void close(),
  };
}

/** For a database that cannot be opened for writing: every write is refused with `why`. */
export function openStoreForReading(config: Config, why: Error): OpenStore {
  const dir = realpathSync(config.state.dir);
  return alone(dir, openDatabaseForReading(dir, why));
}

/**
 * Keeps installations that share a Redis apart.
 * @param installation as `OpenStore` names it
 */
export function queuePrefix(installation: string): string {
  return `stockbridge-${createHash('sha256').update(installation).digest('hex').slice(0, 12)}`;
}

/** The prefix for the queue of one account: all its keys are in one slot of a cluster. */
export function accountPrefix(prefix: string, account: string): string {
  return `{${prefix}/${account}}`;
}
