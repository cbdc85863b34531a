import { UsageError } from '../../use/faults.ts';
import { type Job, parseNames, type Selection, selectJobs } from '../../use/jobs/select.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { refuseMissing } from './doubts.ts';
import { shownJob } from './list.ts';
import { count, nameOf, requireSelection } from './replay.ts';

interface DiscardOptions extends Selection {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Forgets failed jobs. */
export async function discardJobs(
  cli: Cli,
  opened: Opened,
  args: readonly string[],
  options: DiscardOptions,
): Promise<void> {
  requireSelection(args, options, 'their numbers, --error TEXT or --account NAME');
  const { jobs, missing } = await selectJobs(opened, parseNames(args), options);
  await refuseMissing(opened, missing, options.account);
  const dryRun = options.dryRun === true;
  if (jobs.length > 1 && !dryRun && options.yes === undefined) {
    if (!options.json) printAll(cli, opened, jobs, 'would be discarded');
    throw new UsageError(`${jobs.length} would be discarded: add --yes if you mean all of them. Nothing was done`);
  }
  if (!dryRun && jobs.length > 0) await opened.store.work.discard(jobs, opened.by);
  if (options.json) {
    printJson(cli, { dry_run: dryRun, count: jobs.length, jobs: jobs.map(shownJob) });
    return;
  }
  if (jobs.length === 0) print(cli, 'No failed job to discard.');
  else printAll(cli, opened, jobs, dryRun ? 'would be discarded' : 'discarded');
  if (dryRun && jobs.length > 0) note(cli, 'Nothing was changed: without --dry-run they are.');
}

function printAll(cli: Cli, opened: Opened, jobs: readonly Job[], done: string): void {
  print(cli, `${count(jobs)} ${done}:`);
  for (const job of jobs) print(cli, `  ${nameOf(job, opened)}: ${job.message}`);
}
