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

export interface OpenStore {
  readonly dir: string;
  readonly store: Store;
  /** Which daemon works which account; null: the folder's lock proves that this process works all of them. */
  readonly leases: LeaseStore | null;
  /** The leases on a separate connection that waits for no other work; null like `leases`. */
  readonly leasesApart: (() => Promise<LeaseConnection>) | null;
  /** The store under a lease. Writes are refused with LeaseLost once the lease is over. */
  fenced(account: string, fence: number): Store;
  /** The id of this data, for all programs that share it. */
  readonly installation: string;
  readonly isNew: boolean;
  /** The migrations applied now, and the backup taken before; null: the database was new or current. */
  readonly migrated: { readonly count: number; readonly backup: string | null };
  giveBackSpace(): void;
  close(): void;
}

export interface LeaseConnection {
  readonly leases: LeaseStore;
  close(): Promise<void>;
}

/** @param mayUpgrade also migrate an older PostgreSQL database */
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

/** For a database that cannot be written: every write is refused with `why`. */
export function openStoreForReading(config: Config, why: Error): OpenStore {
  const dir = realpathSync(config.state.dir);
  return alone(dir, openDatabaseForReading(dir, why));
}

/**
 * Separates installations that share a Redis.
 * @param installation as in `OpenStore`
 */
export function queuePrefix(installation: string): string {
  return `stockbridge-${createHash('sha256').update(installation).digest('hex').slice(0, 12)}`;
}

/** Puts all keys of an account's queue into one cluster slot. */
export function accountPrefix(prefix: string, account: string): string {
  return `{${prefix}/${account}}`;
}
