import type { Command } from 'commander';
import { showJobs } from './jobs/list.ts';
import { discardJobs, replayJobs } from './jobs/replay.ts';
import { resolve } from './jobs/resolve.ts';
import { showJob } from './jobs/show.ts';
import { duration, wholeNumber } from './number.ts';
import type { Cli } from './output.ts';
import { withStore } from './with-store.ts';

/** `jobs list|show|replay|resolve|discard`: jobs that failed for good or are in doubt, until somebody decides. */
export function define(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('List failed jobs by their cause')
    .option('--error <text>', 'only those whose cause or message contains this')
    .option('--account <name>', 'of this account only')
    .option('--json', 'print JSON')
    .action((options: Parameters<typeof showJobs>[2], list: Command) =>
      withStore(list, cli, 'refuse', (opened) => showJobs(cli, opened, options)),
    );

  command
    .command('show')
    .description('Show everything known of one job, failed, held or in doubt: both sides, what was tried and written')
    .argument('<job...>', 'its number in "jobs list", or a flow and a key: order-in NUMBER, product ERP_ID')
    .option('--account <name>', 'the account of the key')
    .option('--json', 'print JSON')
    .action((args: string[], options: Parameters<typeof showJob>[3], show: Command) =>
      withStore(show, cli, 'refuse', (opened) => showJob(cli, opened, args, options)),
    );

  defineWords(command, cli);
  command.addHelpText(
    'after',
    `
A replay looks at both sides as they are now and decides again, so it is always safe. The job stays listed until the replay
has succeeded. A discarded job is looked at again only when its entity changes, or at the next pass over everything. A replay
of it that still waits is taken back.

Examples:
  stockbridge jobs list --error timeout
  stockbridge jobs show 12
  stockbridge jobs show order-in 9f1c0a52-7a51-4c1e-b0a4-5d0c6f1f2a11
  stockbridge jobs replay 12 15
  stockbridge jobs replay --error timeout --older-than 2h --limit 100 --dry-run
  stockbridge jobs replay --all --yes --wait
  stockbridge jobs resolve 7 --adopt SO-4711
  stockbridge jobs discard --error "customer is not active" --yes`,
  );
}

/** The decisions that an operator may make about a job. */
function defineWords(command: Command, cli: Cli): void {
  command
    .command('replay')
    .description('Look at both sides of failed jobs afresh; nothing is sent again as it was')
    .argument('[job...]', 'numbers of failed jobs, or FLOW/KEY')
    .option('--all', 'every failed job')
    .option('--error <text>', 'those whose cause or message contains this')
    .option('--account <name>', 'of this account only')
    .option('--older-than <time>', 'those that failed longer ago than this: 90s, 30m, 2h, 1d', duration)
    .option('--limit <number>', 'at most so many, the oldest', wholeNumber(1, 10_000))
    .option('--yes', 'also when they are more than one')
    .option('--wait', 'tell what came of each, for ten minutes at most')
    .option('--dry-run', 'only list them')
    .option('--json', 'print JSON')
    .action((args: string[], options: Parameters<typeof replayJobs>[3], replay: Command) =>
      withStore(replay, cli, 'refuse', (opened) => replayJobs(cli, opened, args, options)),
    );

  command
    .command('resolve')
    .description('Say what became of a write that can be neither confirmed nor denied')
    .argument('<doubt...>', 'its number in "jobs list", or FLOW/KEY')
    .option('--adopt <id>', 'this is what it made')
    .option('--retry', 'nothing was applied: it is tried again')
    .option('--drop', 'give it up until the entity changes')
    .option('--account <name>', 'the account of the key')
    .option('--json', 'print JSON')
    .action((args: string[], options: Parameters<typeof resolve>[3], resolving: Command) =>
      withStore(resolving, cli, 'refuse', (opened) => resolve(cli, opened, args, options, resolving)),
    );

  command
    .command('discard')
    .description('Forget failed jobs; of what is in doubt, say with "jobs resolve" what it is')
    .argument('[job...]', 'numbers of failed jobs, or FLOW/KEY')
    .option('--error <text>', 'those whose cause or message contains this')
    .option('--account <name>', 'of this account only')
    .option('--yes', 'also when they are more than one')
    .option('--dry-run', 'only list them')
    .option('--json', 'print JSON')
    .action((args: string[], options: Parameters<typeof discardJobs>[3], discard: Command) =>
      withStore(discard, cli, 'refuse', (opened) => discardJobs(cli, opened, args, options)),
    );
}
