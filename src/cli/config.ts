import type { Command } from 'commander';
import { stringify } from 'yaml';
import { configJsonSchema } from '../config/json-schema.ts';
import { loadConfig } from '../config/load.ts';
import { overriddenIn } from '../config/overridden.ts';
import { ConfigError, describe } from '../config/problem.ts';
import type { Config } from '../config/resolve.ts';
import { counted } from '../domain/counted.ts';
import { ordersFromText } from '../domain/history.ts';
import { EXIT } from './exit.ts';
import { configPath, loadWholeFor } from './load.ts';
import { type Cli, note, paint, print, printJson, printLines } from './output.ts';

export const help = `
Examples:
  stockbridge config check --config config/stockbridge.yaml
  stockbridge config show --json
  stockbridge config schema > stockbridge.schema.json`;

/** `config check|show|schema`: contacts nothing. */
export function define(command: Command, cli: Cli): void {
  command
    .command('check')
    .description('Read the configuration and tell every error with its place')
    .option('--json', 'print the result as JSON')
    .action(({ json }: { json?: true }, check: Command) => (json ? checkAsJson(check, cli) : checkAsText(check, cli)));

  command
    .command('show')
    .description('Print the effective configuration: defaults filled in, secrets masked')
    .option('--json', 'print JSON instead of YAML')
    .action(({ json }: { json?: true }, show: Command) => {
      const { masked } = loadWholeFor(show, cli);
      if (json) printJson(cli, masked);
      else printLines(cli, stringify(masked).trimEnd());
    });

  command
    .command('schema')
    .description('Print the JSON Schema of the configuration, for editors')
    .action(() => printJson(cli, configJsonSchema()));
}

function checkAsText(command: Command, cli: Cli): void {
  const { config, extended, warnings } = loadWholeFor(command, cli);
  const file = configPath(command);
  const doubtful = warnings(Date.now());
  for (const one of doubtful) note(cli, `${paint(cli, cli.stderr, 'yellow', 'warning')} ${describe(file, one)}`);
  const found = doubtful.length === 0 ? '' : `, ${counted(doubtful.length, 'warning')}`;
  print(cli, `${file}: ok (${counted(config.accounts.length, 'account')}${found})`);
  for (const { account, preset, proven } of extended)
    print(cli, `${account}: extends ${preset}${proven === null ? '' : `; proven: ${proven}`}`);
  for (const account of config.accounts) {
    print(cli, `${account.name}: ${ordersFromText(account.orders)}`);
    for (const { id, now, table } of overriddenIn(account)) {
      print(cli, `${account.name}: ${id} is ${now} in place of ${table}`);
    }
  }
}

function checkAsJson(command: Command, cli: Cli): void {
  const file = configPath(command);
  try {
    const { config, warnings } = loadConfig(file, cli.env);
    printJson(cli, {
      file,
      ok: true,
      accounts: config.accounts.map(({ name }) => name),
      problems: [],
      warnings: warnings(Date.now()),
      operations: operationsOf(config),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printJson(cli, { file, ok: false, accounts: [], problems: error.problems, warnings: [] });
    cli.exitCode = EXIT.configuration;
  }
}

function operationsOf({ accounts }: Config) {
  return accounts.flatMap((account) => overriddenIn(account).map((one) => ({ account: account.name, ...one })));
}
