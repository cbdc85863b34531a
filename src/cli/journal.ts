import type { Command } from 'commander';
import { moneyText } from '../domain/money-text.ts';
import { accountNames } from '../use/accounts.ts';
import { idsNamed } from '../use/entity.ts';
import { KNOWN_ROWS } from '../use/followed.ts';
import { type Entry, followJournal, journalOf, latestOf, shownEntry } from '../use/journal.ts';
import { csvLine } from '../use/mapping/csv.ts';
import type { Opened } from '../use/open.ts';
import { type Moment, momentMs, parseMoment, wholeNumber } from './options.ts';
import { type Cli, lineWidth, note, printJson, stream, streamLines } from './output.ts';
import { stopOnSignals } from './signals.ts';
import { hangingText, shownInstant } from './table.ts';
import { onRecords, type VerbOptions } from './with-store.ts';

const WIDTH = 110;
const LIMIT = 100;
const MOST = 1_000_000;
const COLUMNS = ['at', 'account', 'flow', 'key', 'action', 'target', 'before', 'after', 'why', 'outcome', 'answer'];

export const help = `
The oldest come first: the last 100, or everything since a time. Outcomes: written; refused; unknown, where the answer was lost; sent, where it is outstanding; noted,
for what changes neither side, such as a link. retention.journal says how long entries are kept.

Examples:
  stockbridge journal --since 2h
  stockbridge journal --key 9f1c0a52
  stockbridge journal --follow --flow stock
  stockbridge journal --since 2026-11-01 --csv > november.csv`;

interface Options extends VerbOptions {
  readonly since?: Moment;
  readonly flow?: string;
  readonly key?: string;
  readonly limit?: number;
  readonly follow?: true;
  readonly csv?: true;
}

/** `journal`: every write with its time, values and reason. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'of this account only')
    .option(
      '--since <when>',
      'from this time on: an instant such as 2026-11-01, or how long ago, such as 2h',
      parseMoment,
    )
    .option('--flow <flow>', 'of this flow only')
    .option('--key <key>', 'of this entity only: its SKU, its number on either side, or a beginning of one')
    .option('--limit <number>', `the last so many; ${LIMIT} without --since`, wholeNumber(1, MOST))
    .option('--follow', 'go on with what comes, until Ctrl-C')
    .option('--csv', 'print CSV, with every column')
    .option('--json', 'print JSON')
    .action(onRecords(cli, showJournal));
}

async function showJournal(cli: Cli, { config, store }: Opened, options: Options): Promise<void> {
  const { account, since: from, limit, flow, key, follow, csv, json } = options;
  const accounts = accountNames(config, account);
  const sinceMs = from === undefined ? undefined : momentMs(from);
  const keys = key === undefined ? undefined : await idsNamed(store, accounts, key);
  const choice = { accounts, sinceMs, flow, keys };
  const several = config.accounts.length > 1;
  const width = lineWidth(cli, WIDTH);
  const linesOf = (row: Entry) =>
    json ? [JSON.stringify(shownEntry(row))] : csv ? [csvOf(row)] : hangingText(textOf(row, several), width, '', '  ');
  const most = limit ?? (from === undefined ? LIMIT : null);
  const known = follow ? await store.journal.before(null, KNOWN_ROWS, choice) : [];
  const { entries, more } =
    most === null ? { entries: journalOf(store, choice), more: false } : await latestOf(store, choice, most);
  if (json && !follow) return printJson(cli, (await Array.fromAsync<Entry>(entries)).map(shownEntry));
  if (csv && !(await stream(cli, csvLine(COLUMNS)))) return;
  const shown: Entry[] = [];
  for await (const row of entries) {
    shown.push(row);
    if (shown.length === 2 * KNOWN_ROWS) shown.splice(0, KNOWN_ROWS);
    if (!(await streamLines(cli, linesOf(row)))) return;
  }
  if (shown.length === 0) note(cli, 'The journal has no such entry.');
  if (more) note(cli, `These are the last ${most}: --limit and --since show older ones.`);
  if (!follow) return;
  const { signal, off } = stopOnSignals();
  try {
    for await (const row of followJournal(store, choice, [...known, ...shown], signal)) {
      if (!(await streamLines(cli, linesOf(row)))) return;
    }
  } finally {
    off();
  }
}

function textOf({ atMs, account, outcome, action, target, before, after, ...row }: Entry, several: boolean): string {
  const change = before === null && after === null ? '' : `: ${moneyText(before ?? '-')} -> ${moneyText(after ?? '-')}`;
  const where = several ? ` of ${account}` : '';
  const answer = row.answer === '' ? '' : `; answer: ${row.answer}`;
  return `${shownInstant(atMs)} ${row.flow}/${row.key}${where} ${outcome} ${action} ${target}${change}; ${row.why}${answer}`;
}

function csvOf(row: Entry): string {
  const { account, flow, key, action, target, before, after, why, outcome, answer } = row;
  const cells = [account, flow, key, action, target, before ?? '', after ?? '', why, outcome, answer];
  return csvLine([new Date(row.atMs).toISOString(), ...cells]);
}
