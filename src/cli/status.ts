import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { onlyRecords } from '../use/accounts.ts';
import { gatherCoverage } from '../use/coverage.ts';
import { UsageError } from '../use/faults.ts';
import type { Opened } from '../use/open.ts';
import { gatherStatus } from '../use/status.ts';
import { EXIT } from './exit.ts';
import { type Cli, printJson, printLines } from './output.ts';
import { stopOnSignals } from './signals.ts';
import { coverageText, statusText } from './status-text.ts';
import { onRecords, type VerbOptions } from './with-store.ts';

export const help = `
Nothing is called and nothing is changed. The quota is shown while there is a Redis to ask.
Exit codes: 0, and with --check 1 when something needs a person: it stands under "needs you".

Examples:
  stockbridge status
  stockbridge status --json | jq '.accounts[].needs'
  stockbridge status --all
  stockbridge status --check --json
  stockbridge status --coverage
  stockbridge status --watch`;

/** `status`: one screen from the records. It needs no daemon. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--all', 'show every case of what needs you or waits, not only an example')
    .option('--check', 'exit with 1 when something needs a person')
    .option('--watch', 'refresh every two seconds, until Ctrl-C')
    .option('--coverage', 'show which time spans of each list were read, and which were not')
    .option('--json', 'print JSON')
    .action(onRecords(cli, show));
}

interface Shown {
  readonly all?: true;
  readonly check?: true;
  readonly watch?: true;
  readonly coverage?: true;
}

const WATCH_EVERY_MS = 2_000;
/** Moves to the top and clears. */
const FROM_THE_TOP = '\u001b[H\u001b[J';

/** Refreshes the status until Ctrl-C. @throws UsageError without a terminal */
async function watchStatus(cli: Cli, lines: () => Promise<string[]>): Promise<void> {
  if (!('isTTY' in cli.stdout) || cli.stdout.isTTY !== true) throw new UsageError('--watch needs a terminal');
  const { signal, off } = stopOnSignals();
  try {
    do {
      const shown = await lines();
      cli.stdout.write(FROM_THE_TOP);
      printLines(cli, shown);
      await sleep(WATCH_EVERY_MS, undefined, { signal }).catch(() => {});
    } while (!signal.aborted);
  } finally {
    off();
  }
}

async function show(
  cli: Cli,
  { config, store }: Opened,
  { account, all, check, watch, coverage, json }: VerbOptions & Shown,
): Promise<void> {
  const shown = onlyRecords(config, account);
  if (account !== undefined && shown.accounts.length === 0) cli.exitCode = EXIT.configuration;
  if (coverage) {
    const covered = await gatherCoverage(shown.accounts, store, Date.now());
    return json ? printJson(cli, covered) : printLines(cli, coverageText(cli, covered));
  }
  const gather = async () => {
    const nowMs = Date.now();
    const status = await gatherStatus(shown, store, nowMs, all === true);
    return { status, text: () => statusText(cli, status) };
  };
  if (watch) return watchStatus(cli, async () => (await gather()).text());
  const { status, text } = await gather();
  if (check && [...status.accounts, ...status.leftOut].some(({ needs }) => needs.length > 0))
    cli.exitCode = EXIT.failed;
  return json ? printJson(cli, status) : printLines(cli, text());
}
