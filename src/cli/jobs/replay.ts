import type { FailedJob } from '../../store/failed-jobs.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { noteWhoLooks, type Opened } from '../with-store.ts';
import { shownJob } from './list.ts';
import { parseNames, refuseMissing, requireSelection, type Selection, selectJobs } from './select.ts';

interface ReplayOptions extends Selection {
  readonly dryRun?: true;
  readonly json?: true;
}

/** Marks the work of failed jobs as pending: both sides are looked at afresh. */
export async function replayJobs(
  cli: Cli,
  opened: Opened,
  args: readonly string[],
  options: ReplayOptions,
): Promise<void> {
  requireSelection(args, options, 'their numbers, --error TEXT, --account NAME or --all');
  const { jobs, missing } = await selectJobs(opened, parseNames(args), options);
  refuseMissing(missing);
  const dryRun = options.dryRun === true;
  if (!dryRun && jobs.length > 0) await opened.store.work.replay(jobs, opened.by);
  if (options.json) {
    printJson(cli, { dry_run: dryRun, count: jobs.length, jobs: jobs.map(shownJob) });
    return;
  }
  if (jobs.length === 0) {
    print(cli, 'No failed job to replay.');
    return;
  }
  print(cli, `${count(jobs)} ${dryRun ? 'would be replayed' : 'replayed'}:`);
  for (const job of jobs) print(cli, `  ${dryRun ? 'would queue' : 'queued'} ${nameOf(job, opened)}`);
  if (!dryRun) noteWhoLooks(cli, opened.config);
  else note(cli, 'Nothing was changed: without --dry-run they are.');
}

export function count(jobs: readonly unknown[]): string {
  return jobs.length === 1 ? '1 failed job' : `${jobs.length} failed jobs`;
}

export function nameOf({ id, account, flow, key, cause }: FailedJob, { config }: Opened): string {
  const inAccount = config.accounts.length === 1 ? '' : ` of ${account}`;
  return `${id}: ${flow} ${key}${inAccount} (${cause})`;
}
