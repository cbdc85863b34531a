import type { Command } from 'commander';
import type { Config } from '../config/resolve.ts';
import { type Opened, withOpened, workerOf } from '../use/open.ts';
import { loadFor } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, note } from './output.ts';

/**
 * Opens the database of the configuration for as long as `work` takes.
 * @param absent what to do when there is none yet
 */
export function withStore(
  command: Command,
  cli: Cli,
  absent: 'create' | 'refuse',
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const { config } = loadFor(command, cli);
  return withOpened(config, quietLog(command, cli), absent, (opened, created) => {
    if (created !== null) note(cli, `${created} did not exist and was created`);
    return work(opened);
  });
}

/** Says which process takes up the marked keys, and when. */
export function noteWhoLooks(cli: Cli, config: Config): void {
  const process = workerOf(config);
  note(
    cli,
    process === null
      ? 'No daemon runs on this data: "stockbridge run" or "stockbridge sync" takes it up.'
      : `The daemon (process ${process}) takes it up now.`,
  );
}
