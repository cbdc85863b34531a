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

/** The database and its configuration as a command uses them, whether or not a daemon runs beside it. */
export interface Opened {
  readonly config: Config;
  readonly store: Store;
  /** The name of the person, for the journal. */
  readonly by: string;
  readonly log: Log;
  /** The secrets in force, where a daemon keeps them up to date. Otherwise those of the configuration are. */
  readonly credentials?: Credentials;
  /** Hides the secrets of the configuration, and everything that looks like a secret, in a text that a person typed. */
  readonly redact: (text: string) => string;
}

/**
 * Opens the database of the configuration for as long as `work` takes. `work` is told the path of a database that had to be made.
 * @param absent what to do when there is no database yet
 * @throws StoreError when there is no database, or it was not migrated yet: a daemon of the older version may run on it
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
 * The credentials of both sides. Tokens from a token server are kept in the database, which is made if need be.
 * @throws StoreError when the database was not migrated yet
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

/** Is there a database to look at? */
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

/** A full disk still allows reading. The first write is refused with the reason. */
async function openOrRead(config: Config, log: Log): Promise<OpenStore> {
  try {
    return await openStore(config, log, false);
  } catch (error) {
    if (!(error instanceof StoreError) || diskTrouble(error.cause, config.state.dir) === null) throw error;
    return openStoreForReading(config, error);
  }
}

/** The process that works on this data now; null when there is none. */
export function workerOf({ state }: Config): string | null {
  return lockHolder(state.dir, 'work');
}

/**
 * Takes the whole data folder for one process: no other process polls, works or serves on it until the lock is
 * released.
 * @throws LockHeldError that names the process that has it
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
