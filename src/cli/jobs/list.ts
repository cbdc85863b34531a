import { byCause, type ShownCause, shownCause, TURNS } from '../../domain/causes/cause.ts';
import { awayText } from '../../use/away.ts';
import type { State, Stopped } from '../../use/jobs/cases.ts';
import type { Doubt } from '../../use/jobs/doubts.ts';
import { listJobs } from '../../use/jobs/list.ts';
import type { Job, Selection } from '../../use/jobs/select.ts';
import { causeOfJob, choiceTexts, shownDoubt, shownJob, shownStopped } from '../../use/jobs/shown.ts';
import type { Opened } from '../../use/open.ts';
import { headline } from '../../use/verdict.ts';
import { type Cli, lineWidth, note, paint, print, printJson, printLines } from '../output.ts';
import { entry, shownInstant } from '../table.ts';
import type { VerbOptions } from '../with-store.ts';
import { doubtTexts } from './doubts.ts';

/** The most jobs named per cause; `--json` names all. */
const NAMED = 20;
const WIDEST = 100;

const NOTHING: Readonly<Record<State, string>> = {
  failed: 'No failed jobs.',
  'in-doubt': 'Nothing is in doubt.',
  held: 'Nothing is held.',
  alert: 'No alerts.',
};

interface Row {
  readonly name: string;
  readonly why: ShownCause;
  readonly about: Pick<Job, 'account' | 'flow' | 'key'>;
  readonly atMs: number | null;
  readonly json: object;
}

export async function showJobs(
  cli: Cli,
  opened: Opened,
  options: Selection & VerbOptions & { state?: State },
): Promise<void> {
  const { state } = options;
  const { jobs, stopped, doubts, held, away, left, isCut } = await listJobs(opened, options, state);
  const rows = [...jobs.map(rowOfJob), ...stopped.map(rowOfStopped)];
  const causes = byCause(rows, ({ about, why }) => ({ about: about.flow, cause: why }));
  if (options.json) {
    return printJson(cli, {
      causes: causes.map((of) => ({ code: of[0]?.why.code, count: of.length, jobs: of.map(({ json }) => json) })),
      held,
      left: Object.fromEntries(left),
      away: [...away].map(([account, { side, sinceMs }]) => ({
        account,
        side,
        since: new Date(sinceMs).toISOString(),
      })),
      inDoubt: doubts.filter(isInDoubt).length,
      doubts: doubts.map(shownDoubt),
    });
  }
  const isEmpty = causes.length === 0 && (state !== 'in-doubt' || doubts.length === 0);
  if (isEmpty) print(cli, nothingText(state, options.error));
  for (const of of causes) printCause(cli, opened, of);
  printDoubts(cli, opened, doubts);
  for (const [account, side] of isEmpty ? [] : away) note(cli, `${account}: ${awayText(side)}`);
  if (jobs.length > 0) {
    note(cli, 'Look at one: stockbridge jobs show ID. Once the cause is gone: stockbridge jobs replay --all');
  }
  if (stopped.length > 0) {
    note(cli, `${isCut ? 'These are the first, and more are held. ' : ''}Look at one: stockbridge jobs show FLOW/KEY`);
  } else if (held > 0) {
    note(cli, `Besides, ${held} held: stockbridge jobs list --state held. Why one is: stockbridge jobs show FLOW/KEY`);
  }
  for (const [account, counts] of left) note(cli, `${account}: ${headline(counts)}`);
}

function nothingText(state: State = 'failed', error?: string): string {
  if (error === undefined) return NOTHING[state];
  return state === 'failed' ? 'No failed job matches.' : 'Nothing matches.';
}

function rowOfJob(job: Job): Row {
  return { name: String(job.id), why: causeOfJob(job), about: job, atMs: job.failedAtMs, json: shownJob(job) };
}

function rowOfStopped(stopped: Stopped): Row {
  const { flow, key, cause: stops, sinceMs } = stopped;
  return {
    name: `${flow}/${key}`,
    why: shownCause(stops),
    about: stopped,
    atMs: sinceMs,
    json: shownStopped(stopped),
  };
}

function printCause(cli: Cli, { config }: Opened, rows: readonly Row[]): void {
  const example = rows.at(-1);
  if (example === undefined) return;
  const lines = (text: string, indent: string) => entry(text, lineWidth(cli, WIDEST), indent);
  const { why, about, atMs } = example;
  const { code, text, turn, next } = why;
  const heading = lines(`${code} (${rows.length}): ${TURNS[turn]}`, '');
  printLines(
    cli,
    heading.map((line) => line.replace(code, paint(cli, cli.stdout, 'red', code))),
  );
  const inAccount = config.accounts.length === 1 ? '' : ` of ${about.account}`;
  const when = atMs === null ? 'such as' : `latest, ${shownInstant(atMs)},`;
  printLines(cli, lines(`${when} ${about.flow} ${about.key}${inAccount}: ${text}`, '  '));
  printLines(cli, lines(`-> ${next}`, '  '));
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  const names = rows.slice(0, NAMED).map(({ name }) => name);
  printLines(cli, lines(`${'id' in example.json ? 'ids' : 'keys'} ${names.join(' ')}${more}`, '  '));
}

/** A write that cannot be confirmed or denied waits for an operator, so the choices are shown. */
function printDoubts(cli: Cli, { config }: Opened, doubts: readonly Doubt[]): void {
  if (doubts.length === 0) return;
  print(cli, `${paint(cli, cli.stdout, 'yellow', 'in doubt')} (${doubts.length})`);
  for (const doubt of doubts.slice(0, NAMED)) {
    for (const text of doubtTexts(doubt, config.accounts.length > 1)) {
      const indent = text.startsWith('  ') ? '    ' : '  ';
      printLines(cli, entry(text.trim(), lineWidth(cli, WIDEST), indent));
    }
    printLines(
      cli,
      choiceTexts(doubt.intent).map((choice) => `    ${choice}`),
    );
  }
  if (doubts.length > NAMED) print(cli, `  and ${doubts.length - NAMED} more`);
}

function isInDoubt({ intent }: Doubt): boolean {
  return intent.state === 'in-doubt';
}
