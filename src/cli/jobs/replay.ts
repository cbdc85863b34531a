import { counted } from '../../domain/counted.ts';
import { UsageError } from '../../use/faults.ts';
import {
  awaitResults,
  discardJobs as discard,
  pickOf,
  type ReplayResult,
  replayJobs as replay,
} from '../../use/jobs/replay.ts';
import { type Job, namesOf, type Selection, selectJobs } from '../../use/jobs/select.ts';
import { shownJob } from '../../use/jobs/shown.ts';
import { type Opened, workerOf } from '../../use/open.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Cli, note, print, printJson, printLines } from '../output.ts';
import { createProgress } from '../progress.ts';
import { interruptibly } from '../signals.ts';
import { noteWorker, type VerbOptions } from '../with-store.ts';
import { refuseMissing } from './doubts.ts';

interface Options extends Omit<Selection, 'account'>, VerbOptions {
  readonly wait?: true;
  readonly yes?: true;
  readonly dryRun?: boolean;
}

/** Marks failed jobs as pending, so that both sides are compared again. */
export async function replayJobs(cli: Cli, opened: Opened, args: readonly string[], options: Options): Promise<void> {
  const jobs = await chosen(opened, args, options, '--error TEXT, --account NAME, --older-than TIME or --all');
  const { dryRun = false, json } = options;
  const wait = options.wait === true && !dryRun;
  if (wait && workerOf(opened.config) === null) {
    throw new UsageError('--wait waits for a daemon, and none runs on this data: start one, or leave --wait out');
  }
  if (!dryRun && !(await isMeant(cli, jobs, options))) return;
  const ids = await replay(opened, jobs, dryRun);
  if (!json) {
    const done = dryRun ? 'would be replayed' : 'replayed';
    printJobs(cli, jobs, 'replay', done, (job) => `${dryRun ? 'would queue' : 'queued'} ${nameOf(job, opened)}`);
  }
  const results = wait ? await awaited(cli, opened, ids, json === true) : [];
  if (wait) cli.exitCode = exitCodeOfResults(results, jobs.length);
  if (json) {
    const told = wait ? { results: results.map(asResult), without_result: jobs.length - results.length } : {};
    return printJson(cli, { dry_run: dryRun, count: jobs.length, jobs: jobs.map(shownJob), ...told });
  }
  if (jobs.length === 0) return;
  if (dryRun) note(cli, UNCHANGED);
  else if (wait) noteCounts(cli, results, jobs.length);
  else {
    noteWorker(cli, opened.config);
    note(cli, 'See the result of each in the audit log: stockbridge audit list');
  }
}

/** Prints each result as it comes, with the number left, unless JSON follows. */
async function awaited(cli: Cli, { store }: Opened, ids: readonly number[], quiet: boolean): Promise<ReplayResult[]> {
  const progress = createProgress(cli);
  let left = ids.length;
  const show = () => progress.step({ account: 'replay', step: 'waiting for results', pending: left });
  const tell = ({ flow, key, outcome }: ReplayResult) => {
    left -= 1;
    progress.end();
    if (!quiet) print(cli, `  ${flow} ${key}: ${outcome}`);
    show();
  };
  show();
  return interruptibly((signal) => awaitResults(store, ids, signal, tell)).finally(() => progress.end());
}

const UNCHANGED = 'Nothing was changed: without --dry-run they are.';

/**
 * The named or selected failed jobs.
 * @throws UsageError when none are selected
 */
async function chosen(opened: Opened, args: readonly string[], options: Options, ways: string): Promise<Job[]> {
  const { account, limit } = options;
  const pick = pickOf(args, options);
  if (pick === 'neither' && account === undefined) {
    throw new UsageError(`say which jobs: their numbers, ${ways}`);
  }
  if (pick === 'both' || (pick === 'named' && limit !== undefined)) {
    throw new UsageError('name jobs, or select them with --all, --error or --older-than, but not both');
  }
  const { jobs, missing } = await selectJobs(opened, await namesOf(opened, args, account), options);
  await refuseMissing(opened, missing, account);
  return jobs;
}

/** Shows the number of several jobs and asks for confirmation. */
async function isMeant(cli: Cli, jobs: readonly Job[], { yes, json }: Options): Promise<boolean> {
  if (jobs.length <= 1 || yes) return true;
  const causes = [...Map.groupBy(jobs, ({ cause }) => cause)].map(([cause, { length }]) => `${length} ${cause}`);
  const wouldBe = `${jobs.length} would be replayed (${causes.join(', ')})`;
  if (cli.confirm === undefined || json) {
    throw new UsageError(`${wouldBe}. Nothing was done. To see each, add --dry-run. To replay all of them, add --yes`);
  }
  if (await cli.confirm(`${wouldBe}. Replay all of them?`)) return true;
  note(cli, 'Nothing was done.');
  return false;
}

function printJobs(cli: Cli, jobs: readonly Job[], verb: string, done: string, text: (job: Job) => string): void {
  if (jobs.length === 0) return print(cli, `No failed job to ${verb}.`);
  printLines(cli, [`${counted(jobs.length, 'failed job')} ${done}:`, ...jobs.map((job) => `  ${text(job)}`)]);
}

function nameOf({ id, account, flow, key, cause }: Job, { config }: Opened): string {
  const inAccount = config.accounts.length === 1 ? '' : ` of ${account}`;
  return `${id}: ${flow} ${key}${inAccount} (${cause})`;
}

/** 1: some failed again. 75: some are held or unfinished. */
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

export async function discardJobs(cli: Cli, opened: Opened, args: readonly string[], options: Options): Promise<void> {
  const jobs = await chosen(opened, args, options, '--error TEXT or --account NAME');
  const { dryRun = false, json, yes } = options;
  const printAs = (done: string) =>
    json ? undefined : printJobs(cli, jobs, 'discard', done, (job) => `${nameOf(job, opened)}: ${job.message}`);
  if (jobs.length > 1 && !dryRun && !yes) {
    printAs('would be discarded');
    throw new UsageError(`${jobs.length} would be discarded. Nothing was done. To discard all of them, add --yes`);
  }
  await discard(opened, jobs, dryRun);
  if (json) return printJson(cli, { dry_run: dryRun, count: jobs.length, jobs: jobs.map(shownJob) });
  printAs(dryRun ? 'would be discarded' : 'discarded');
  if (dryRun && jobs.length > 0) note(cli, UNCHANGED);
}
