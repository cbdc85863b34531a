import type { Config } from '../config/resolve.ts';
import { type OpenStore, openStore, openStoreForReading } from '../core/state.ts';
import { type Credentials, needsTokens, openCredentials } from '../credentials/credentials.ts';
import { ROLES } from '../daemon/roles.ts';
import type { Log } from '../logging/logging.ts';
import { operatorName } from '../machine/operator.ts';
import { databasePath, databaseVersions, noDatabase } from '../store/sqlite/database.ts';
import { diskTrouble, withAdvice } from '../store/sqlite/disk-trouble.ts';
import { acquireLocks, type Lock, LockHeldError, lockHolder } from '../store/sqlite/lock.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

/** The database and configuration for a command, with or without a running daemon. */
export interface Opened {
  readonly config: Config;
  readonly store: Store;
  readonly by: string;
  readonly log: Log;
  /** Kept up to date by a daemon. The default is the configuration's. */
  readonly credentials?: Credentials;
  /** Hides the configuration's secrets, and what looks like one, in typed text. */
  readonly redact: (text: string) => string;
}

/**
 * Opens the configuration's database for `work`, which gets the path of a newly created one.
 * @param absent what to do without a database
 * @throws StoreError without a database, or before its migration, since an older daemon may run on it
 */
export async function withOpened<T>(
  { config, log, redact }: Pick<Opened, 'config' | 'log' | 'redact'>,
  absent: 'create' | 'refuse',
  work: (opened: Opened, created: string | null) => Promise<T>,
): Promise<T> {
  const path = databasePath(config.state.dir);
  const schema = config.state.postgres === null ? versionsNow(config) : 'in PostgreSQL';
  if (schema === null && absent === 'refuse') throw noDatabase(config.state.dir);
  const { store, close } = await openOrRead(config, log);
  try {
    return await work({ config, store, by: operatorName(), log, redact }, schema === null ? path : null);
  } catch (error) {
    throw withAdvice(error, path);
  } finally {
    close();
  }
}

/**
 * Both sides' credentials. Temporary tokens are stored in the database, which is created if missing.
 * @throws StoreError before the database's migration
 */
export async function openOwnCredentials(
  config: Config,
  log: Log,
): Promise<{ readonly credentials: Credentials; readonly close: () => void }> {
  const parts = { config, renewal: null, log, now: Date.now };
  if (!needsTokens(config)) return { credentials: openCredentials({ ...parts, tokens: null }), close: () => {} };
  if (config.state.postgres === null) versionsNow(config);
  const { store, close } = await openOrRead(config, log);
  return { credentials: openCredentials({ ...parts, tokens: store.tokens }), close };
}

export function hasDatabase({ state: { dir, postgres } }: Config): boolean {
  return postgres !== null || databaseVersions(dir) !== null;
}

function versionsNow({ state: { dir } }: Config): ReturnType<typeof databaseVersions> {
  const schema = databaseVersions(dir);
  if (schema !== null && schema.applied > 0 && schema.applied < schema.known) {
    throw new StoreError(
      `${databasePath(dir)} is of an older version: stop the daemon, then run "stockbridge migrate"`,
    );
  }
  return schema;
}

/** A full disk still allows reading; the first write is refused with the reason. */
async function openOrRead(config: Config, log: Log): Promise<OpenStore> {
  try {
    return await openStore(config, log, false);
  } catch (error) {
    if (!(error instanceof StoreError) || diskTrouble(error.cause, config.state.dir) === null) throw error;
    return openStoreForReading(config, error);
  }
}

/** The process that works on this data; null: none. */
export function workerOf({ state }: Config): string | null {
  return lockHolder(state.dir, 'work');
}

/**
 * Locks the data folder for all roles.
 * @throws LockHeldError naming the process that has it
 */
export function lockFolder(dir: string): Lock {
  try {
    return acquireLocks(dir, ROLES);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const holders = new Set(ROLES.map((role) => lockHolder(dir, role)).filter((holder) => holder !== null));
    const who = `a daemon or a sync (process ${[...holders].join(', ') || 'unknown'})`;
    throw new LockHeldError(`${who} works on ${dir}: stop it, then try again. Nothing was changed`, { cause: error });
  }
}
