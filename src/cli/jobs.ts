import { type Command, Option } from 'commander';
import { STATES } from '../use/jobs/cases.ts';
import { showJobs } from './jobs/list.ts';
import { discardJobs, replayJobs } from './jobs/replay.ts';
import { resolve } from './jobs/resolve.ts';
import { showJob } from './jobs/show.ts';
import { duration, wholeNumber } from './options.ts';
import type { Cli } from './output.ts';
import { onRecords, onStore } from './with-store.ts';

export const help = `
A replay looks at both sides as they are now and decides again, so it is always safe. The job stays listed until the replay
has succeeded. A discarded job is looked at again only when its entity changes, or at the next pass over everything. A replay
of it that still waits is taken back.

Examples:
  stockbridge jobs list --error timeout
  stockbridge jobs list --state held
  stockbridge jobs show 12
  stockbridge jobs show order-in 9f1c0a52-7a51-4c1e-b0a4-5d0c6f1f2a11
  stockbridge jobs replay 12 15
  stockbridge jobs replay --error timeout --older-than 2h --limit 100 --dry-run
  stockbridge jobs replay --all --yes --wait
  stockbridge jobs resolve 7 --adopt SO-4711
  stockbridge jobs discard --error "customer is not active" --yes`;

/** `jobs list|show|replay|resolve|discard`: failed or doubtful jobs that wait for a decision. */
export function define(command: Command, cli: Cli): void {
  command
    .command('list')
    .description(
      'List failed jobs by their cause, and writes with an unknown result; with --state, the jobs in one state',
    )
    .addOption(new Option('--state <state>', 'only what is in this state').choices(STATES))
    .option('--error <text>', 'only those whose cause or message contains this')
    .option('--account <name>', 'of this account only')
    .option('--json', 'print JSON')
    .action(onRecords(cli, showJobs));

  command
    .command('show')
    .description(
      'Show all about one job that failed, is held or has an unknown result: both sides, its attempts and writes',
    )
    .argument('<job...>', 'its number in "jobs list", or a flow and a key: order-in NUMBER, product ERP_ID')
    .option('--account <name>', 'the account of the key')
    .option('--json', 'print JSON')
    .action(onRecords(cli, showJob));

  defineWords(command, cli);
}

/** An operator's decisions about a job. */
function defineWords(command: Command, cli: Cli): void {
  command
    .command('replay')
    .description('Retry failed jobs from the current state of both sides; the old request is not resent')
    .argument('[job...]', 'numbers of failed jobs, or FLOW/KEY')
    .option('--all', 'every failed job')
    .option('--error <text>', 'those whose cause or message contains this')
    .option('--account <name>', 'of this account only')
    .option('--older-than <time>', 'those that failed longer ago than this: 90s, 30m, 2h, 1d', duration)
    .option('--limit <number>', 'at most so many, the oldest', wholeNumber(1, 10_000))
    .option('--yes', 'do not ask when there is more than one')
    .option('--wait', 'wait for the result of each, for at most ten minutes')
    .option('--dry-run', 'only list them')
    .option('--json', 'print JSON')
    .action(onStore(cli, replayJobs));

  command
    .command('resolve')
    .description('Decide about a write whose result is unknown')
    .argument('<doubt...>', 'its number in "jobs list", or FLOW/KEY')
    .option('--adopt <id>', 'this is what it made')
    .option('--retry', 'the write was not applied: retry it')
    .option('--drop', 'give up the write until the entity changes')
    .option('--account <name>', 'the account of the key')
    .option('--json', 'print JSON')
    .action(onStore(cli, resolve));

  command
    .command('discard')
    .description('Forget failed jobs; for writes with an unknown result, use "jobs resolve"')
    .argument('[job...]', 'numbers of failed jobs, or FLOW/KEY')
    .option('--error <text>', 'those whose cause or message contains this')
    .option('--account <name>', 'of this account only')
    .option('--yes', 'do not ask when there is more than one')
    .option('--dry-run', 'only list them')
    .option('--json', 'print JSON')
    .action(onStore(cli, discardJobs));
}
