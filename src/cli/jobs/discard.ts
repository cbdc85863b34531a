import type { FailedJob } from '../../store/failed-jobs.ts';
import type { Intent } from '../../store/intents.ts';
import { lockHolder } from '../../store/lock.ts';
import type { WorkKey } from '../../store/work.ts';
import { accountFor } from '../account.ts';
import { UsageError } from '../exit.ts';
import { type Cli, note, print, printJson } from '../output.ts';
import { noteWhoLooks, type Opened } from '../with-store.ts';
import { createsOf } from './creates.ts';
import { shownJob } from './list.ts';
import { count, nameOf } from './replay.ts';
import { type Named, parseNames, refuseMissing, requireSelection, type Selection, selectJobs } from './select.ts';

interface DiscardOptions extends Selection {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** A create that is in doubt, and what it was for. */
interface Doubt {
  readonly target: WorkKey;
  readonly creates: readonly Intent[];
}

/** Forgets failed jobs. What was named by its key and is in doubt instead is given up, so that it may be tried again. */
export async function discardJobs(
  cli: Cli,
  opened: Opened,
  args: readonly string[],
  options: DiscardOptions,
): Promise<void> {
  requireSelection(args, options, 'their numbers, --error TEXT or --account NAME');
  const { jobs, missing } = await selectJobs(opened, parseNames(args), options);
  const { doubts, unknown } = await findDoubts(opened, missing, options.account);
  refuseMissing(unknown);
  const dryRun = options.dryRun === true;
  const total = jobs.length + doubts.length;
  if (total > 1 && !dryRun && options.yes === undefined) {
    if (!options.json) printAll(cli, opened, jobs, doubts, 'would be');
    throw new UsageError(`${total} would be discarded: add --yes if you mean all of them. Nothing was done`);
  }
  if (!dryRun) await discard(opened, jobs, doubts);
  if (options.json) {
    const given = doubts.map(({ target }) => target);
    printJson(cli, { dry_run: dryRun, count: total, jobs: jobs.map(shownJob), given_up: given });
    return;
  }
  if (total === 0) print(cli, 'No failed job to discard.');
  else printAll(cli, opened, jobs, doubts, dryRun ? 'would be' : 'was');
  if (dryRun && total > 0) note(cli, 'Nothing was changed: without --dry-run they are.');
  if (!dryRun && doubts.length > 0) noteWhoLooks(cli, opened.config);
}

async function findDoubts(
  { config, store }: Opened,
  missing: readonly Named[],
  accountName: string | undefined,
): Promise<{ doubts: Doubt[]; unknown: Named[] }> {
  const doubts: Doubt[] = [];
  const unknown: Named[] = [];
  for (const named of missing) {
    const target = 'id' in named ? null : { account: accountFor(config, accountName).name, ...named };
    const creates = target === null ? [] : await createsOf(store, target);
    const inDoubt = creates.filter(({ state }) => state === 'in-doubt');
    if (target === null || inDoubt.length === 0) unknown.push(named);
    else doubts.push({ target, creates: inDoubt });
  }
  return { doubts, unknown };
}

async function discard(
  { config, store, by }: Opened,
  jobs: readonly FailedJob[],
  doubts: readonly Doubt[],
): Promise<void> {
  if (jobs.length > 0) await store.work.discard(jobs, by);
  const word = { by, isWorked: lockHolder(config.state.dir, 'work') !== null };
  for (const create of doubts.flatMap(({ creates }) => creates)) await store.doubts.retry(create, word);
}

function printAll(
  cli: Cli,
  opened: Opened,
  jobs: readonly FailedJob[],
  doubts: readonly Doubt[],
  done: 'was' | 'would be',
): void {
  if (jobs.length > 0) print(cli, `${count(jobs)} ${done === 'was' ? 'discarded' : 'would be discarded'}:`);
  for (const job of jobs) print(cli, `  ${nameOf(job, opened)}: ${job.message}`);
  for (const { target, creates } of doubts) {
    const evidence = creates.map((create) => create.evidence).join('; ');
    print(cli, `the create of ${target.flow} ${target.key} that was in doubt ${done} given up: ${evidence}`);
  }
}
