import type { Command } from 'commander';
import { startApp } from '../app/app.ts';
import type { Config } from '../config/resolve.ts';
import { counted } from '../domain/counted.ts';
import { accountsFor } from '../use/accounts.ts';
import { readPlan } from '../use/plan-file.ts';
import { createPlanPass, LEFT_REASONS, type LeftWrite, requireKnownAccounts } from '../use/plan-pass.ts';
import { type SyncReport, syncAll } from '../use/sync-all.ts';
import { countsText } from '../use/verdict.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit.ts';
import { loadFor, renewalOf } from './load.ts';
import { rememberingLog } from './logs.ts';
import { type Cli, paint, print, printJson, printLines } from './output.ts';
import { heldText } from './plan-text.ts';
import { createProgress } from './progress.ts';
import { interruptibly } from './signals.ts';
import { entry, paragraph } from './table.ts';
import type { VerbOptions } from './with-store.ts';

export const help = `
Exit codes: 0 nothing failed and nothing is left to be tried again (held entities wait for you and are listed), 75 something is left to be tried again,
or it was stopped before the end, 77 a side refuses the credentials, 1 something failed for good ("stockbridge jobs list"
shows it), a row cannot be read, or an account is left out because its configuration is wrong. With --strict, 1 also when anything needs a person: "stockbridge status" shows it.

With --plan, the pass writes what is in the plan that "stockbridge plan --out FILE" saved, as far as it is still decided, and
nothing else. Then it lists what was left and why, and ends with 75 when something was, or with 1 when something failed for good.

Examples:
  stockbridge sync
  stockbridge sync --plan plan.json
  stockbridge sync --strict
  stockbridge sync --account main --json`;

/** `sync`: makes passes until both sides are in step. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--plan <file>', 'write only what is in this saved plan and is still due')
    .option('--strict', 'exit with 1 when anything needs a person')
    .option('--json', 'print the result as JSON')
    .action(async ({ account, strict, json, plan: file }: SyncOptions, sync: Command) => {
      const plan = file === undefined ? undefined : createPlanPass(readPlan(file));
      const loaded = loadFor(sync, cli);
      const { config } = loaded;
      const renewal = renewalOf(sync, cli, loaded);
      const names = accountsFor(config, account).map(({ name }) => name);
      if (plan !== undefined) requireKnownAccounts(plan, config);
      const { log, lastWarning } = rememberingLog(sync, cli);
      const progress = createProgress(cli);
      const results = await interruptibly((signal) =>
        syncAll(config, names, (onJournal) => startApp({ config, log, renewal, ...plan, onJournal }, ['work']), {
          signal,
          progress: progress.step,
          plan,
        }),
      ).finally(() => progress.end());
      const reports = results.map((report) => printed(report, lastWarning(), strict === true));
      if (json) printJson(cli, { mode: config.mode, accounts: reports });
      else for (const report of reports) printReport(cli, report, config.mode);
      const isPart = account === undefined && config.unusable.length > 0;
      cli.exitCode = worst([...reports.map(({ exitCode }) => exitCode), isPart ? EXIT.failed : EXIT.ok]);
    });
}

interface SyncOptions extends VerbOptions {
  readonly strict?: true;
  /** A saved plan's file. */
  readonly plan?: string;
}

type Report = ReturnType<typeof printed>;

/**
 * A report for printing.
 * @param strict a need for a person counts as a failure
 * @param lastWarning may say why work is left when no side is at fault
 */
function printed({ failure, away, ...report }: SyncReport, lastWarning: string | null, strict: boolean) {
  const { pending, failed, invalidRows, needYou } = report;
  const trouble = failure?.message ?? away?.message ?? (pending > 0 ? lastWarning : null);
  const exitCode = worst([
    failure === null ? EXIT.ok : retryable(exitCodeOf(failure)),
    away === null ? EXIT.ok : away.state === 'credentials' ? EXIT.credentials : EXIT.tryAgain,
    pending > 0 || (report.leftOfPlan ?? []).length > 0 ? EXIT.tryAgain : EXIT.ok,
    failed.count > 0 || invalidRows.count > 0 || (strict && needYou > 0) ? EXIT.failed : EXIT.ok,
  ]);
  return { ...report, trouble, exitCode };
}

/** A pass can be started again any time, so a side that is down means "try again". */
function retryable(code: ExitCode): ExitCode {
  return code === EXIT.unavailable ? EXIT.tryAgain : code;
}

/** The code that most needs a person. */
function worst(codes: readonly ExitCode[]): ExitCode {
  return [EXIT.credentials, EXIT.failed, EXIT.tryAgain].find((code) => codes.includes(code)) ?? EXIT.ok;
}

const WIDTH = 80;
/** The most causes of held entities shown. */
const MOST_CAUSES = 20;
/** The most remaining writes of a saved plan shown. */
const MOST_LEFT = 20;

function printReport(cli: Cli, report: Report, mode: Config['mode']): void {
  const { account, held, failed, invalidRows, needYou, trouble, strategy, wouldWrite } = report;
  print(
    cli,
    `${paint(cli, cli.stdout, 'bold', account)}: ${headlineOf(cli, report, mode)}; ${writtenText(report, mode)}`,
  );
  const lines = (text: string) => printLines(cli, entry(text, WIDTH, '    '));
  if (trouble !== null) lines(trouble);
  if (strategy !== null) lines(paragraph(strategy));
  if (wouldWrite.count > 0)
    print(cli, '  would be written next, and more after it; "stockbridge plan" shows every write:');
  for (const { action, count, first } of wouldWrite.actions) lines(`${count} x ${action}, such as ${first}`);
  for (const one of held.causes.slice(0, MOST_CAUSES)) printLines(cli, entry(heldText(one), WIDTH, '  '));
  if (held.causes.length > MOST_CAUSES)
    print(
      cli,
      `  and ${counted(held.causes.length - MOST_CAUSES, 'cause')} more: "stockbridge jobs list --state held"`,
    );
  if (failed.count > 0)
    print(cli, '  failed; "stockbridge jobs list" shows each, "stockbridge jobs replay --all" tries again:');
  for (const { code, count, text } of failed.causes) lines(`${count} x ${code}: ${text}`);
  if (invalidRows.count > 0) print(cli, '  rows that cannot be read; "stockbridge status --all" shows each:');
  for (const { collection, count, example } of invalidRows.collections)
    lines(`${count} of ${collection}, such as ${example.key}: ${paragraph(example)}`);
  const left = report.leftOfPlan ?? [];
  if (left.length > 0) print(cli, `  ${counted(left.length, 'write')} of the plan left:`);
  for (const { action, target, after, ...became } of left.slice(0, MOST_LEFT))
    lines(`${action} ${target} -> ${after ?? '(nothing)'}: ${whyLeft(became)}`);
  if (left.length > MOST_LEFT) lines(`and ${left.length - MOST_LEFT} more: "stockbridge sync --json" shows each`);
  if (needYou > 0)
    print(cli, `  ${needYou} ${needYou === 1 ? 'needs' : 'need'} you; "stockbridge status" shows the next step`);
}

function whyLeft({ state, causes }: Pick<LeftWrite, 'state' | 'causes'>): string {
  return causes.length === 0 ? LEFT_REASONS[state] : causes.map((one) => paragraph(one)).join(' ');
}

/** What keeps both sides out of step. A dry run with writes is not in step. */
function headlineOf(cli: Cli, { exitCode, counts, wouldWrite }: Report, mode: Config['mode']): string {
  const { stdout } = cli;
  const left = countsText(counts);
  const told = left === '' ? '' : `: ${left}`;
  if (mode === 'dry-run' && wouldWrite.count > 0) return paint(cli, stdout, 'yellow', `dry-run, not in step${told}`);
  if (exitCode === EXIT.ok && left === '') return paint(cli, stdout, 'green', 'in step');
  return paint(cli, stdout, exitCode === EXIT.ok ? 'yellow' : 'red', `not in step${told}`);
}

function writtenText({ written, wouldWrite }: Report, mode: Config['mode']): string {
  return [
    mode === 'dry-run' ? 'nothing written' : `${written} written`,
    ...(wouldWrite.count > 0 ? [`${wouldWrite.count} would be`] : []),
  ].join(', ');
}
