import type { Command } from 'commander';
import { counted } from '../domain/counted.ts';
import { accountNames } from '../use/accounts.ts';
import { shownAct } from '../use/journal.ts';
import type { Opened } from '../use/open.ts';
import { EXIT } from './exit.ts';
import { wholeNumber } from './options.ts';
import { type Cli, note, print, printJson, streamLines } from './output.ts';
import { hangingText, shownInstant } from './table.ts';
import { onRecords, type VerbOptions } from './with-store.ts';

type Act = Awaited<ReturnType<Opened['store']['audit']['latest']>>[number];

const LATEST = 50;
const LIMIT_MAX = 10_000;
const WIDTH = 110;

export const help = `
Each act carries the hash of the one before it, and the database refuses to change or remove any. Nothing ever prunes them.
Anybody who can write the file can make a whole new chain: keep the last hash of "audit verify" elsewhere to notice that.

Examples:
  stockbridge audit list --limit 10
  stockbridge audit verify --json`;

/** `audit list|verify`: the append-only log of operators' acts. */
export function define(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('Show the newest acts, the newest last')
    .option('--account <name>', 'of this account, and those that concern all')
    .option('--limit <number>', 'how many', wholeNumber(1, LIMIT_MAX), LATEST)
    .option('--json', 'print JSON')
    .action(onRecords(cli, listActs));

  command
    .command('verify')
    .description('Follow the chain of hashes from the first act to the last; exits 1 at the first broken link')
    .option('--json', 'print JSON')
    .action(onRecords(cli, verifyActs));
}

async function listActs(cli: Cli, { config, store }: Opened, options: VerbOptions & { limit: number }): Promise<void> {
  if (options.account !== undefined) accountNames(config, options.account);
  const acts = await store.audit.latest(options.limit, options.account);
  if (options.json) return printJson(cli, acts.map(shownAct));
  if (acts.length === 0) note(cli, 'No operator has done anything yet.');
  const several = config.accounts.length > 1;
  await streamLines(
    cli,
    acts.flatMap((act) => hangingText(actText(act, several), WIDTH, '', '  ')),
  );
}

function actText({ id, atMs, who, account, flow, key, action, ...act }: Act, several: boolean): string {
  const { target, before, after, outcome, resultOf } = act;
  // An act with `resultOf` names its new state in the outcome.
  const change =
    before === null && (after === null || resultOf !== null) ? '' : `: ${before ?? '-'} -> ${after ?? '-'}`;
  const about = key === '' || key === '*' || target.includes(key) ? '' : ` (${flow} ${key})`;
  const where = several && account !== '' ? ` of ${account}` : '';
  const answers = resultOf === null ? '' : ` (asked for by ${resultOf})`;
  return `${id} ${shownInstant(atMs)} ${who} ${action} ${target}${about}${where}${change}; ${outcome}${answers}`;
}

async function verifyActs(cli: Cli, { store }: Opened, { json }: VerbOptions): Promise<void> {
  const { rows, lastHash, broken } = await store.audit.verify();
  if (broken !== null) cli.exitCode = EXIT.failed;
  if (json) return printJson(cli, { whole: broken === null, rows, last_hash: lastHash, broken });
  if (broken === null) {
    print(cli, `the audit log is whole: ${counted(rows, 'act')}`);
    if (lastHash !== null) print(cli, `last hash ${lastHash}`);
    return;
  }
  print(cli, `the audit log is broken at row ${broken.id}: ${broken.why}`);
  const before =
    rows === 0 ? 'It is the first' : `Before it, ${counted(rows, 'act')} ${rows === 1 ? 'is' : 'are'} whole`;
  note(cli, `${before}. A backup from before it was changed shows what was there.`);
}
