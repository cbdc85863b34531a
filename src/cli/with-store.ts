import type { Command } from 'commander';
import type { Config } from '../config/resolve.ts';
import { textRedactor } from '../logging/redaction.ts';
import { withRecorded } from '../use/accounts.ts';
import { hasDatabase, type Opened, withOpened, workerOf } from '../use/open.ts';
import { EXIT } from './exit.ts';
import { loadFor, loadForRecords } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, note } from './output.ts';

/** Options of most verbs. */
export interface VerbOptions {
  readonly account?: string;
  readonly json?: true;
}

/**
 * An action that needs the configuration's database. `work` gets the arguments, then the options.
 * @param absent runs when there is no database yet
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
 * An action that only reads records. With an unusable configuration it shows the fault, and takes the accounts from the
 * records.
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

/** Says which process looks at the marked keys, and when. */
export function noteWorker(cli: Cli, config: Config): void {
  const process = workerOf(config);
  note(
    cli,
    process === null
      ? 'No daemon is running. To process it: stockbridge run, or stockbridge sync.'
      : `The daemon (process ${process}) processes it now.`,
  );
}
