import { type Command, Option } from 'commander';
import { explainEntity } from '../use/explain/explain.ts';
import { KINDS } from '../use/mapping/ids.ts';
import type { Opened } from '../use/open.ts';
import { explanationText } from './explain-text.ts';
import { type Moment, momentMs, parseMoment, wholeNumber } from './options.ts';
import { type Cli, printJson, streamLines } from './output.ts';
import { onRecords, type VerbOptions } from './with-store.ts';

const TOLD = 20;
const MOST_TOLD = 200;

export const help = `
The first line is the answer. Below it: the stock figure as a sum, line by line; both sides, and what they agreed on last; what
is written next, or why not, with whose turn it is and the next step; and what happened, the newest first. Neither side is
called: the answer is made of what the daemon has read.

With --at, all of it as of a moment of the past, as far as it is on record: retention.journal and retention.inbox say how long
that is kept.

Examples:
  stockbridge explain SB-0001
  stockbridge explain SB-0001 --at 2h
  stockbridge explain 9f1c0a52
  stockbridge explain 4711 --kind customer --json`;

interface Options extends VerbOptions {
  readonly kind?: (typeof KINDS)[number];
  readonly at?: Moment;
  readonly limit: number;
}

/** `explain`: why an entity is in its state. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<name>', 'a SKU, a number or an id of either side, or the beginning of one')
    .option('--account <name>', 'of this account')
    .addOption(new Option('--kind <kind>', 'where a name fits several').choices(KINDS))
    .option('--at <when>', 'as of a moment: an instant such as 2026-11-01T09:00:00Z, or how long ago', parseMoment)
    .option('--limit <number>', 'so much of what happened', wholeNumber(1, MOST_TOLD), TOLD)
    .option('--json', 'print JSON')
    .action(onRecords(cli, explain));
}

async function explain(cli: Cli, opened: Opened, name: string, options: Options): Promise<void> {
  const { account, kind, at, limit, json } = options;
  const atMs = at === undefined ? undefined : momentMs(at);
  const explanation = await explainEntity(opened, { name, account, kind, atMs });
  if (json) return printJson(cli, explanation);
  await streamLines(cli, explanationText(cli, explanation, limit));
}
