import type { Command } from 'commander';
import { counted } from '../domain/counted.ts';
import { UsageError } from '../use/faults.ts';
import { copyIntoFolder, copyIntoPostgres, type StoreCopy } from '../use/store-copy.ts';
import { loadFor } from './load.ts';
import { type Cli, print, printJson } from './output.ts';

export const help = `
The address of PostgreSQL is state.postgres of the configuration, so that its password is on no command line; state.store
says which of the two databases the daemon works on. Stop the daemon, copy, change state.store, start it.

Examples:
  stockbridge store copy --to postgres    # from the data folder's file, before state.store becomes postgres
  stockbridge store copy --to sqlite      # and back`;

/** `store copy`: copies all data to the other database. */
export function define(command: Command, cli: Cli): void {
  command
    .command('copy')
    .description('Copy everything that is stored into the other database, and compare each row')
    .requiredOption('--to <database>', 'postgres, sqlite, or an address such as postgres://host/database')
    .option('--json', 'print JSON')
    .action(async ({ to, json }: { to: string; json?: true }, copying: Command) => {
      const { config } = loadFor(copying, cli);
      const isAddress = /^postgres(ql)?:\/\//.test(to);
      if (!isAddress && to !== 'postgres' && to !== 'sqlite') throw new UsageError('--to is postgres or sqlite');
      const url = isAddress ? to : config.state.postgresAddress;
      if (url === null) throw new UsageError('state.postgres of the configuration does not say where PostgreSQL is');
      const copied = to === 'sqlite' ? await copyIntoFolder(config, url) : await copyIntoPostgres(config, url);
      if (json) printJson(cli, copied);
      else printCopied(cli, copied);
    });
}

function printCopied(cli: Cli, { to, rows }: StoreCopy): void {
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
  print(
    cli,
    `${to}: ok (${counted(count, 'row')} of ${counted(Object.keys(rows).length, 'table')} copied and compared)`,
  );
}
