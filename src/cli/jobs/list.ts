import { cause, type ShownCause, shownCause, TURNS } from '../../domain/causes/cause.ts';
import type { Doubt } from '../../use/jobs/doubts.ts';
import { listJobs } from '../../use/jobs/list.ts';
import type { Job, Selection } from '../../use/jobs/select.ts';
import type { Opened } from '../../use/open.ts';
import { type Cli, lineWidth, note, paint, print, printJson } from '../output.ts';
import { shownInstant, wrap } from '../table.ts';
import { choiceTexts, doubtAsJson, doubtTexts } from './doubts.ts';

/** So many jobs of one cause are named; `--json` names all. */
const NAMED = 20;
const WIDEST = 100;

export async function showJobs(cli: Cli, opened: Opened, options: Selection & { json?: true }): Promise<void> {
  const { causes, doubts, held } = await listJobs(opened, options);
  if (options.json) {
    printJson(cli, {
      causes: causes.map(([code, jobs]) => ({ code, count: jobs.length, jobs: jobs.map(shownJob) })),
      held,
      inDoubt: doubts.filter(isInDoubt).length,
      doubts: doubts.map(doubtAsJson),
    });
    return;
  }
  if (causes.length === 0) print(cli, options.error === undefined ? 'No failed jobs.' : 'No failed job matches.');
  for (const [, jobs] of causes) printCause(cli, opened, jobs);
  printDoubts(cli, opened, doubts);
  if (causes.length > 0) {
    note(cli, 'Look at one: stockbridge jobs show ID. Once the cause is gone: stockbridge jobs replay --all');
  }
  if (held > 0) {
    const both = doubts.filter((doubt) => isInDoubt(doubt) && doubt.isHeld).length;
    const doubt = both === 0 ? '' : `, ${both} of them in doubt`;
    note(cli, `Besides, ${held} held${doubt}: stockbridge status. Why one is: stockbridge jobs show FLOW/KEY`);
  }
}

function printCause(cli: Cli, { config }: Opened, jobs: readonly Job[]): void {
  const [example] = jobs.slice(-1);
  if (example === undefined) return;
  const inAccount = config.accounts.length === 1 ? '' : ` of ${example.account}`;
  const { code, text, turn, next } = causeOf(example);
  const heading = wrap(`${code} (${jobs.length}): ${TURNS[turn]}`, lineWidth(cli, WIDEST), '');
  for (const line of heading) print(cli, line.replace(code, paint(cli, cli.stdout, 'red', code)));
  const said = `latest, ${shownInstant(example.failedAtMs)}, ${example.flow} ${example.key}${inAccount}: ${text}`;
  for (const told of [said, `-> ${next}`]) {
    for (const line of wrap(told, lineWidth(cli, WIDEST), '  ')) print(cli, line);
  }
  const more = jobs.length > NAMED ? ` and ${jobs.length - NAMED} more` : '';
  const ids = jobs.slice(0, NAMED).map(({ id }) => id);
  for (const line of wrap(`ids ${ids.join(' ')}${more}`, lineWidth(cli, WIDEST), '  ')) print(cli, line);
}

/** An entity that can be neither confirmed nor denied waits for an operator, who is told the choices. */
function printDoubts(cli: Cli, { config }: Opened, doubts: readonly Doubt[]): void {
  if (doubts.length === 0) return;
  print(cli, `${paint(cli, cli.stdout, 'yellow', 'in doubt')} (${doubts.length})`);
  for (const doubt of doubts.slice(0, NAMED)) {
    for (const text of doubtTexts(doubt, config.accounts.length > 1)) {
      const indent = text.startsWith('  ') ? '    ' : '  ';
      for (const line of wrap(text.trim(), lineWidth(cli, WIDEST), indent)) print(cli, line);
    }
    for (const choice of choiceTexts(doubt.intent)) print(cli, `    ${choice}`);
  }
  if (doubts.length > NAMED) print(cli, `  and ${doubts.length - NAMED} more`);
}

export function shownJob(job: Job) {
  const { id, account, flow, key, attempts, failedAtMs } = job;
  return { id, account, flow, key, ...causeOf(job), attempts, failed_at: new Date(failedAtMs).toISOString() };
}

function causeOf({ cause: code, message }: Job): ShownCause {
  return shownCause(cause(code, { message }));
}

function isInDoubt({ intent }: Doubt): boolean {
  return intent.state === 'in-doubt';
}
