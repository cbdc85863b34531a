import type { Command } from 'commander';
import { accountsFor } from '../use/accounts.ts';
import { gatherCoverage } from '../use/coverage.ts';
import { gatherStatus } from '../use/status.ts';
import { type Cli, print, printJson } from './output.ts';
import { coverageText, statusText } from './status-text.ts';
import { withStore } from './with-store.ts';

interface StatusOptions {
  readonly account?: string;
  readonly coverage?: true;
  readonly json?: true;
}

/** `status`: one screen, from the records; a daemon need not run. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--coverage', 'what was read of each collection, and what was not')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Nothing is called and nothing is changed. The quota is shown while there is a Redis to ask.

Examples:
  stockbridge status
  stockbridge status --json | jq '.accounts[].needs'
  stockbridge status --coverage
  watch --color stockbridge status`,
    )
    .action(({ account, coverage, json }: StatusOptions, status: Command) =>
      withStore(status, cli, 'refuse', async ({ config, store }) => {
        const accounts = accountsFor(config, account);
        if (coverage) {
          const covered = await gatherCoverage(accounts, store, Date.now());
          if (json) printJson(cli, covered);
          else for (const line of coverageText(cli, covered)) print(cli, line);
          return;
        }
        const facts = await gatherStatus({ ...config, accounts: [...accounts] }, store, Date.now());
        if (json) printJson(cli, facts);
        else for (const line of statusText(cli, facts)) print(cli, line);
      }),
    );
}
