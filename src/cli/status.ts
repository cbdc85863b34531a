import type { Command } from 'commander';
import { onlyAccount } from '../use/accounts.ts';
import { gatherCoverage } from '../use/coverage.ts';
import type { Opened } from '../use/open.ts';
import { gatherStatus } from '../use/status.ts';
import { EXIT } from './exit.ts';
import { type Cli, printJson, printLines } from './output.ts';
import { coverageText, statusText } from './status-text.ts';
import { type Asked, onStore } from './with-store.ts';

export const help = `
Nothing is called and nothing is changed. The quota is shown while there is a Redis to ask.
Exit codes: 0, and with --check 1 when something needs a person: it stands under "needs you".

Examples:
  stockbridge status
  stockbridge status --json | jq '.accounts[].needs'
  stockbridge status --all
  stockbridge status --check --json
  stockbridge status --coverage
  watch --color stockbridge status`;

/** `status`: one screen, from the records; a daemon need not run. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--all', 'every case of what needs you or waits, not only an example')
    .option('--check', 'exit with 1 when something needs a person')
    .option('--coverage', 'what was read of each collection, and what was not')
    .option('--json', 'print JSON')
    .action(onStore(cli, show));
}

async function show(
  cli: Cli,
  { config, store }: Opened,
  { account, all, check, coverage, json }: Asked & { all?: true; check?: true; coverage?: true },
): Promise<void> {
  const shown = onlyAccount(config, account);
  if (coverage) {
    const covered = await gatherCoverage(shown.accounts, store, Date.now());
    return json ? printJson(cli, covered) : printLines(cli, coverageText(cli, covered));
  }
  const status = await gatherStatus(shown, store, Date.now(), all === true);
  if (check && status.accounts.some(({ needs }) => needs.length > 0)) cli.exitCode = EXIT.failed;
  return json ? printJson(cli, status) : printLines(cli, statusText(cli, status));
}
