import { counted } from '../../domain/counted.ts';
import { UsageError } from '../../use/faults.ts';
import { awaitResults, type ReplayResult } from '../../use/jobs/list.ts';
import { type Job, parseNames, type Selection, selectJobs } from '../../use/jobs/select.ts';
import { type Opened, workerOf } from '../../use/open.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { interruptibly } from '../signals.ts';
import { noteWhoLooks } from '../with-store.ts';
import { refuseMissing } from './doubts.ts';
import { shownJob } from './list.ts';

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
  if (wait && workerOf(opened.config) === null) {
    throw new UsageError('--wait waits for a daemon, and none runs on this data: start one, or leave --wait out');
  }
  if (!dryRun && !(await isMeant(cli, jobs, options))) return;
  const ids = dryRun || jobs.length === 0 ? [] : await opened.store.work.replay(jobs, opened.by);
  if (!options.json) printJobs(cli, opened, jobs, dryRun);
  const follow = (signal: AbortSignal) =>
    awaitResults(opened.store, ids, signal, (result) => tell(cli, options, result));
  const results = wait ? await interruptibly(follow) : [];
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
    note(cli, 'The audit log tells the result of each: stockbridge audit list');
  }
}

/** @throws UsageError when nothing says which jobs are meant */
export function requireSelection(args: readonly string[], selection: Selection, ways: string): void {
  const { all, error, account, olderThan, limit } = selection;
  const chosen = [all, error, olderThan].some((one) => one !== undefined);
  if (args.length === 0 && !chosen && account === undefined) throw new UsageError(`say which jobs: ${ways}`);
  if (args.length > 0 && (chosen || limit !== undefined)) {
    throw new UsageError('name jobs, or choose them by --all, --error or --older-than: not both');
  }
}

/** Several are counted first, and then somebody has to say yes. */
async function isMeant(cli: Cli, jobs: readonly Job[], { yes, json }: ReplayOptions): Promise<boolean> {
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

function printJobs(cli: Cli, opened: Opened, jobs: readonly Job[], dryRun: boolean): void {
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

export function nameOf({ id, account, flow, key, cause }: Job, { config }: Opened): string {
  const inAccount = config.accounts.length === 1 ? '' : ` of ${account}`;
  return `${id}: ${flow} ${key}${inAccount} (${cause})`;
}

/** 1 when some failed again, 75 when some are held or have not come to their end yet. */
function exitCodeOfResults(results: readonly ReplayResult[], asked: number): ExitCode {
  if (results.some(({ state }) => state === 'failed')) return EXIT.failed;
  return results.length < asked || results.some(({ state }) => state === 'held') ? EXIT.tryAgain : EXIT.ok;
}

function noteCounts(cli: Cli, results: readonly ReplayResult[], asked: number): void {
  const of = (state: ReplayResult['state']) => results.filter((result) => result.state === state).length;
  const counts = [
    [of('written'), 'written'],
    [of('in-sync'), 'already in step'],
    [of('held'), 'held'],
    [of('failed'), 'failed again'],
    [asked - results.length, 'without a result yet'],
  ] as const;
  const told = counts.filter(([times]) => times > 0).map(([times, what]) => `${times} ${what}`);
  note(cli, `${asked} replayed: ${told.join(', ')}.`);
}

function asResult({ account, flow, key, outcome, atMs, resultOf }: ReplayResult) {
  return { account, flow, key, outcome, at: new Date(atMs).toISOString(), replay: resultOf };
}

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
    if (!options.json) printDiscarded(cli, opened, jobs, 'would be discarded');
    throw new UsageError(`${jobs.length} would be discarded: add --yes if you mean all of them. Nothing was done`);
  }
  if (!dryRun && jobs.length > 0) await opened.store.work.discard(jobs, opened.by);
  if (options.json) {
    printJson(cli, { dry_run: dryRun, count: jobs.length, jobs: jobs.map(shownJob) });
    return;
  }
  if (jobs.length === 0) print(cli, 'No failed job to discard.');
  else printDiscarded(cli, opened, jobs, dryRun ? 'would be discarded' : 'discarded');
  if (dryRun && jobs.length > 0) note(cli, 'Nothing was changed: without --dry-run they are.');
}

function printDiscarded(cli: Cli, opened: Opened, jobs: readonly Job[], done: string): void {
  print(cli, `${count(jobs)} ${done}:`);
  for (const job of jobs) print(cli, `  ${nameOf(job, opened)}: ${job.message}`);
}
