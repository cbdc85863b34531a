import type { Command } from 'commander';
import type { Config } from '../config/resolve.ts';
import { operatorName } from '../operator.ts';
import { openStore } from '../state.ts';
import { databasePath, inspectDatabase } from '../store/database.ts';
import { LockHeldError, lockHolder } from '../store/lock.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
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
  if (schema === null && absent === 'refuse') {
    throw new StoreError(
      `${path} does not exist: nothing has run with this configuration yet. If something has, state.dir is meant from another working directory.`,
    );
  }
  if (schema !== null && schema.applied > 0 && schema.applied < schema.known) {
    throw new StoreError(`${path} is of an older version: stop the daemon, then run "stockbridge migrate"`);
  }
  const { store, close } = await openStore(config, quietLog(command, cli));
  try {
    if (schema === null) note(cli, `${path} did not exist and was created`);
    await work({ config, store, by: operatorName() });
  } catch (error) {
    throw isBusy(error)
      ? new LockHeldError(`another process keeps writing to ${path}: try again`, { cause: error })
      : error;
  } finally {
    close();
  }
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
