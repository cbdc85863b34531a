import type { Command } from 'commander';
import type { Config } from '../config/resolve.ts';
import { textRedactor } from '../logging/redaction.ts';
import { withRecorded } from '../use/accounts.ts';
import { hasDatabase, type Opened, withOpened, workerOf } from '../use/open.ts';
import { EXIT } from './exit.ts';
import { loadFor, loadForRecords } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, note } from './output.ts';

/** The options that most verbs take. */
export interface Asked {
  readonly account?: string;
  readonly json?: true;
}

/**
 * The action of a verb that works on the database of the configuration. `work` gets everything that was typed: the arguments, then
 * the options.
 * @param absent what to do when there is no database yet
 */
export function onStore<Typed extends unknown[]>(
  cli: Cli,
  work: (cli: Cli, opened: Opened, ...typed: Typed) => Promise<void>,
  absent: 'create' | 'refuse' = 'refuse',
): (...given: unknown[]) => Promise<void> {
  return (...given) => {
    const command = given.at(-1) as Command;
    const { config } = loadFor(command, cli);
    const parts = { config, log: quietLog(command, cli), redact: textRedactor(cli.secrets) };
    return withOpened(parts, absent, (opened, created) => {
      if (created !== null) note(cli, `${created} did not exist and was created`);
      return work(cli, opened, ...(given.slice(0, -1) as Typed));
    });
  };
}

/**
 * The action of a verb that only looks at what is on record. It does so also while the configuration cannot be used: the fault comes
 * first, and the records tell the accounts.
 */
export function onRecords<Typed extends unknown[]>(
  cli: Cli,
  work: (cli: Cli, opened: Opened, ...typed: Typed) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const { config, fault } = loadForRecords(command, cli);
    const redact = textRedactor(cli.secrets);
    if (fault !== null) {
      if (!hasDatabase(config)) throw fault;
      for (const line of redact(fault.message).split('\n')) note(cli, line);
      note(cli, 'Until that is fixed, this is the last stored state:');
    }
    await withOpened({ config, log: quietLog(command, cli), redact }, 'refuse', async (opened) => {
      const known = fault === null ? opened : { ...opened, config: await withRecorded(opened) };
      await work(cli, known, ...(given.slice(0, -1) as Typed));
    });
    if (fault !== null) cli.exitCode = EXIT.configuration;
  };
}

/** Says which process takes up the marked keys, and when. */
export function noteWhoLooks(cli: Cli, config: Config): void {
  const process = workerOf(config);
  note(
    cli,
    process === null
      ? 'No daemon is running. To process it: stockbridge run, or stockbridge sync.'
      : `The daemon (process ${process}) processes it now.`,
  );
}
