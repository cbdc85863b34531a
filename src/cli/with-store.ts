import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config/resolve.ts';
import type { Log } from '../logging.ts';
import { operatorName } from '../operator.ts';
import { type OpenStore, openStore, openStoreForReading } from '../state.ts';
import { databasePath, inspectDatabase, noDatabase } from '../store/sqlite/database.ts';
import { diskTrouble } from '../store/sqlite/disk-trouble.ts';
import { LockHeldError, lockHolder } from '../store/sqlite/lock.ts';
import type { Store } from '../store/sqlite/store.ts';
import { StoreError } from '../store/sqlite/store-error.ts';
import { loadFor } from './load.ts';
import { quietLog } from './log.ts';
import { type Cli, note } from './output.ts';

/** What a verb needs that works on the database, whether or not a daemon runs beside it. */
export interface Opened {
  readonly config: Config;
  readonly store: Store;
  /** Who is at the terminal, for the journal. */
  readonly by: string;
}

/**
 * Opens the database of the configuration for as long as `work` takes.
 * @param absent what to do when there is none yet
 * @throws StoreError when there is none, or it was not migrated yet: a daemon of the older version may run on it
 */
export async function withStore(
  command: Command,
  cli: Cli,
  absent: 'create' | 'refuse',
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const { config } = loadFor(command, cli);
  const path = databasePath(config.state.dir);
  const schema = inspectDatabase(config.state.dir);
  if (schema === null && absent === 'refuse') throw noDatabase(config.state.dir);
  if (schema !== null && schema.applied > 0 && schema.applied < schema.known) {
    throw new StoreError(`${path} is of an older version: stop the daemon, then run "stockbridge migrate"`);
  }
  const { store, close } = await openOrRead(config, quietLog(command, cli));
  try {
    if (schema === null) note(cli, `${path} did not exist and was created`);
    await work({ config, store, by: operatorName() });
  } catch (error) {
    throw told(error, path);
  } finally {
    close();
  }
}

/** On a disk that is full there is still reading: what wants to write is told so then. */
async function openOrRead(config: Config, log: Log): Promise<OpenStore> {
  try {
    return await openStore(config, log);
  } catch (error) {
    if (!(error instanceof StoreError) || diskTrouble(error.cause, config.state.dir) === null) throw error;
    return openStoreForReading(config, error);
  }
}

function told(error: unknown, path: string): unknown {
  if (isBusy(error)) return new LockHeldError(`another process keeps writing to ${path}: try again`, { cause: error });
  if (!(error instanceof Error) || error.name !== 'SqliteError') return error;
  const trouble = diskTrouble(error, dirname(path));
  if (trouble === null) return error;
  return new StoreError(`${path} cannot be written: ${error.message}. ${trouble}`, { cause: error });
}

/** The writer's place was taken for longer than anybody waits for it. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

/** Who looks at what was marked, and when. */
export function noteWhoLooks(cli: Cli, { state }: Config): void {
  const process = lockHolder(state.dir, 'work');
  note(
    cli,
    process === null
      ? 'No daemon runs on this data: "stockbridge run" or "stockbridge sync" takes it up.'
      : `The daemon (process ${process}) takes it up now.`,
  );
}
