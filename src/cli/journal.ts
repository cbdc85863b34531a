import { type Command, InvalidArgumentError } from 'commander';
import { durationMs } from '../settings/scalars.ts';
import { accountsFor } from '../use/accounts.ts';
import { type Entry, journalOf } from '../use/journal.ts';
import { csvLine } from '../use/mapping/csv.ts';
import type { Opened } from '../use/open.ts';
import { type Cli, note, printJson, stream, streamLines } from './output.ts';
import { hang, shownInstant } from './table.ts';
import { type Asked, onStore } from './with-store.ts';

const WIDTH = 110;
const COLUMNS = ['at', 'account', 'flow', 'key', 'action', 'target', 'before', 'after', 'why', 'outcome', 'answer'];

export const help = `
The oldest come first. Outcomes: written; refused; unknown, where the answer was lost; sent, where it is outstanding; noted,
for what changes neither side, such as a link. retention.journal says how long entries are kept.

Examples:
  stockbridge journal --since 2h
  stockbridge journal --flow order-in --key 9f1c0a52-0ae7-4d21-8aea-e3c6a4ec99f3
  stockbridge journal --since 2026-11-01 --csv > november.csv`;

interface Options extends Asked {
  readonly since?: Since;
  readonly flow?: string;
  readonly key?: string;
  readonly csv?: true;
}

/** An instant, or a time before now; both in milliseconds. */
type Since = { readonly instantMs: number } | { readonly agoMs: number };

/** `journal`: what was written when, from what to what, and why. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'of this account only')
    .option('--since <when>', 'from this time on: an instant such as 2026-11-01, or how long ago, such as 2h', since)
    .option('--flow <flow>', 'of this flow only')
    .option('--key <key>', 'of this key only')
    .option('--csv', 'print CSV, with every column')
    .option('--json', 'print JSON')
    .action(onStore(cli, showJournal));
}

function since(text: string): Since {
  const agoMs = durationMs(text);
  if (Number.isFinite(agoMs)) return { agoMs };
  const instantMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(instantMs)) return { instantMs };
  throw new InvalidArgumentError('Expected an instant such as 2026-11-01T09:00:00Z, or a time such as 30m, 2h or 1d.');
}

async function showJournal(cli: Cli, { config, store }: Opened, options: Options): Promise<void> {
  const { account, since: from, flow, key, csv, json } = options;
  const accounts = accountsFor(config, account).map(({ name }) => name);
  const sinceMs = from === undefined ? null : 'agoMs' in from ? Date.now() - from.agoMs : from.instantMs;
  const entries = journalOf(store, { accounts, sinceMs, flow, key });
  if (json) return printJson(cli, (await Array.fromAsync(entries)).map(asJson));
  if (csv && !(await stream(cli, csvLine(COLUMNS)))) return;
  let isEmpty = true;
  for await (const row of entries) {
    isEmpty = false;
    const lines = csv ? [csvOf(row)] : hang(textOf(row, config.accounts.length > 1), WIDTH, '', '  ');
    if (!(await streamLines(cli, lines))) return;
  }
  if (isEmpty) note(cli, 'The journal has no such entry.');
}

function textOf({ atMs, account, outcome, action, target, before, after, ...row }: Entry, several: boolean): string {
  const change = before === null && after === null ? '' : `: ${before ?? '-'} -> ${after ?? '-'}`;
  const where = several ? ` of ${account}` : '';
  const answer = row.answer === '' ? '' : `; answer: ${row.answer}`;
  return `${shownInstant(atMs)} ${row.flow}/${row.key}${where} ${outcome} ${action} ${target}${change}; ${row.why}${answer}`;
}

function asJson({ id, atMs, ...row }: Entry) {
  return { id, at: new Date(atMs).toISOString(), ...row };
}

function csvOf(row: Entry): string {
  const { account, flow, key, action, target, before, after, why, outcome, answer } = row;
  const cells = [account, flow, key, action, target, before ?? '', after ?? '', why, outcome, answer];
  return csvLine([new Date(row.atMs).toISOString(), ...cells]);
}
