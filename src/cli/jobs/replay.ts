import { counted } from '../../domain/counted.ts';
import type { FailedJob } from '../../store/sqlite/failed-jobs.ts';
import { lockHolder } from '../../store/sqlite/lock.ts';
import { UsageError } from '../exit.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { noteWhoLooks, type Opened } from '../with-store.ts';
import { shownJob } from './list.ts';
import { asResult, awaitResults, exitCodeOfResults, noteCounts, type ReplayResult } from './results.ts';
import { parseNames, requireSelection, type Selection, selectJobs } from './select.ts';
import { refuseMissing } from './waiting.ts';

interface ReplayOptions extends Selection {
  readonly wait?: true;
  readonly yes?: true;
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
  requireSelection(args, options, 'their numbers, --error TEXT, --account NAME, --older-than TIME or --all');
  const { jobs, missing } = await selectJobs(opened, parseNames(args), options);
  await refuseMissing(opened, missing, options.account);
  const dryRun = options.dryRun === true;
  const wait = options.wait === true && !dryRun;
  if (wait && lockHolder(opened.config.state.dir, 'work') === null) {
    throw new UsageError('--wait waits for a daemon, and none runs on this data: start one, or leave --wait out');
  }
  if (!dryRun && !(await isMeant(cli, jobs, options))) return;
  const ids = dryRun || jobs.length === 0 ? [] : await opened.store.work.replay(jobs, opened.by);
  if (!options.json) printJobs(cli, opened, jobs, dryRun);
  const results = wait ? await awaitResults(opened.store, ids, (result) => tell(cli, options, result)) : [];
  if (wait) cli.exitCode = exitCodeOfResults(results, jobs.length);
  if (options.json) {
    const told = wait ? { results: results.map(asResult), without_result: jobs.length - results.length } : {};
    printJson(cli, { dry_run: dryRun, count: jobs.length, jobs: jobs.map(shownJob), ...told });
    return;
  }
  if (jobs.length === 0) return;
  if (dryRun) note(cli, 'Nothing was changed: without --dry-run they are.');
  else if (wait) noteCounts(cli, results, jobs.length);
  else {
    noteWhoLooks(cli, opened.config);
    note(cli, 'What comes of each is told in the audit log: stockbridge audit list');
  }
}

/** Several are counted first, and then somebody has to say yes. */
async function isMeant(cli: Cli, jobs: readonly FailedJob[], { yes, json }: ReplayOptions): Promise<boolean> {
  if (jobs.length <= 1 || yes) return true;
  const causes = [...Map.groupBy(jobs, ({ cause }) => cause)].map(([cause, { length }]) => `${length} ${cause}`);
  const wouldBe = `${jobs.length} would be replayed (${causes.join(', ')})`;
  if (cli.confirm === undefined || json) {
    throw new UsageError(`${wouldBe}: add --yes if you mean all of them, or --dry-run to see each. Nothing was done`);
  }
  if (await cli.confirm(`${wouldBe}. Replay all of them?`)) return true;
  note(cli, 'Nothing was done.');
  return false;
}

function printJobs(cli: Cli, opened: Opened, jobs: readonly FailedJob[], dryRun: boolean): void {
  if (jobs.length === 0) {
    print(cli, 'No failed job to replay.');
    return;
  }
  print(cli, `${count(jobs)} ${dryRun ? 'would be replayed' : 'replayed'}:`);
  for (const job of jobs) print(cli, `  ${dryRun ? 'would queue' : 'queued'} ${nameOf(job, opened)}`);
}

function tell(cli: Cli, { json }: ReplayOptions, { flow, key, outcome }: ReplayResult): void {
  if (!json) print(cli, `  ${flow} ${key}: ${outcome}`);
}

export function count(jobs: readonly unknown[]): string {
  return counted(jobs.length, 'failed job');
}

export function nameOf({ id, account, flow, key, cause }: FailedJob, { config }: Opened): string {
  const inAccount = config.accounts.length === 1 ? '' : ` of ${account}`;
  return `${id}: ${flow} ${key}${inAccount} (${cause})`;
}
