import type { Command } from 'commander';
import { startApp } from '../app.ts';
import { accountsFor } from '../use/accounts.ts';
import { type SyncReport, syncAll } from '../use/sync-all.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit.ts';
import { loadFor, renewalOf } from './load.ts';
import { rememberingLog } from './logs.ts';
import { type Cli, paint, print, printJson, printLines } from './output.ts';
import { createProgress } from './progress.ts';
import { interruptibly } from './signals.ts';
import { paragraph, wrap } from './table.ts';
import type { Asked } from './with-store.ts';

export const help = `
Exit codes: 0 in sync (held entities wait for you and are listed), 75 something is left to be tried again,
or it was stopped before the end, 77 a side refuses the credentials, 1 something failed for good: "stockbridge jobs list" shows it.

Examples:
  stockbridge sync
  stockbridge sync --account main --json`;

/** `sync`: one pass over everything until quiet. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--json', 'print the result as JSON')
    .action(async ({ account, json }: Asked, sync: Command) => {
      const loaded = loadFor(sync, cli);
      const { config } = loaded;
      const renewal = renewalOf(sync, cli, loaded);
      const names = accountsFor(config, account).map(({ name }) => name);
      const { log, lastWarning } = rememberingLog(sync, cli);
      const progress = createProgress(cli);
      const results = await interruptibly((signal) =>
        syncAll(config, names, () => startApp({ config, log, renewal }, ['work']), { signal, progress: progress.step }),
      ).finally(() => progress.end());
      const reports = results.map((report) => printed(report, lastWarning()));
      if (json) printJson(cli, { mode: config.mode, accounts: reports });
      else for (const report of reports) printReport(cli, report);
      cli.exitCode = worst(reports.map(({ exitCode }) => exitCode));
    });
}

type Report = ReturnType<typeof printed>;

/**
 * A report as it is printed.
 * @param lastWarning the log's last warning: it may say why something is left when no side is at fault
 */
function printed({ failure, away, ...report }: SyncReport, lastWarning: string | null) {
  const { pending, failed } = report;
  const trouble = failure?.message ?? away?.message ?? (pending > 0 ? lastWarning : null);
  const exitCode = worst([
    failure === null ? EXIT.ok : retryable(exitCodeOf(failure)),
    away === null ? EXIT.ok : away.state === 'credentials' ? EXIT.credentials : EXIT.tryAgain,
    pending > 0 ? EXIT.tryAgain : EXIT.ok,
    failed.count > 0 ? EXIT.failed : EXIT.ok,
  ]);
  return { ...report, trouble, exitCode };
}

/** For a pass that may be started again at any time, a side that is down is something to try again. */
function retryable(code: ExitCode): ExitCode {
  return code === EXIT.unavailable ? EXIT.tryAgain : code;
}

/** The one that needs a person most. */
function worst(codes: readonly ExitCode[]): ExitCode {
  return [EXIT.credentials, EXIT.failed, EXIT.tryAgain].find((code) => codes.includes(code)) ?? EXIT.ok;
}

const WIDTH = 80;

function printReport(cli: Cli, { account, written, pending, held, failed, trouble, strategy, exitCode }: Report): void {
  const counts = [
    `${written} written`,
    ...(pending > 0 ? [`${pending} left to be tried again`] : []),
    ...(held.count > 0 ? [`${held.count} held`] : []),
    ...(failed.count > 0 ? [`${failed.count} failed`] : []),
  ];
  const isWell = exitCode === EXIT.ok;
  const verdict = isWell ? paint(cli, cli.stdout, 'green', 'in sync') : paint(cli, cli.stdout, 'red', 'not in sync');
  print(cli, `${paint(cli, cli.stdout, 'bold', account)}: ${verdict}; ${counts.join(', ')}`);
  const lines = (text: string) => printLines(cli, wrap(text, WIDTH, '    '));
  if (trouble !== null) lines(trouble);
  if (strategy !== null) lines(paragraph(strategy));
  if (held.count > 0) print(cli, '  held until something changes:');
  for (const { flow, key, causes } of held.first) {
    for (const one of causes) lines(`${flow} ${key}: ${paragraph(one)}`);
  }
  if (held.count > held.first.length) lines(`and ${held.count - held.first.length} more: "stockbridge status"`);
  if (failed.count > 0)
    print(cli, '  failed; "stockbridge jobs list" shows each, "stockbridge jobs replay" tries again:');
  for (const { code, count, text } of failed.causes) lines(`${count} x ${code}: ${text}`);
}
