import type { Command } from 'commander';
import { startApp } from '../app.ts';
import type { Config } from '../config/resolve.ts';
import type { Core } from '../core.ts';
import { connectForCalls } from '../daemon/redis/connect.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { standingOf } from '../flows/engine/strategy-change.ts';
import type { Log } from '../logging.ts';
import { NoRedisError } from '../state-redis.ts';
import type { FailedJob } from '../store/sqlite/failed-jobs.ts';
import { LockHeldError, lockHolder } from '../store/sqlite/lock.ts';
import { accountsFor } from '../use/accounts.ts';
import { type SyncResult, syncAccount } from '../use/sync.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit.ts';
import { loadFor } from './load.ts';
import { rememberingLog } from './log.ts';
import { type Cli, paint, print, printJson } from './output.ts';
import { createProgress, type Progress } from './progress.ts';
import { interruptibly } from './signals.ts';
import { wrap } from './table.ts';

/** `sync`: one pass over everything until quiet. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Exit codes: 0 in sync (what is held waits for you and is listed), 75 something is left to be tried again,
or it was stopped before the end, 77 a side refuses the credentials, 1 something failed for good: "stockbridge jobs list" shows it.

Examples:
  stockbridge sync
  stockbridge sync --account main --json`,
    )
    .action(async ({ account, json }: { account?: string; json?: true }, sync: Command) => {
      const { config } = loadFor(sync, cli);
      const names = accountsFor(config, account).map(({ name }) => name);
      const { log, lastWarning } = rememberingLog(sync, cli);
      const results = await syncAll(config, names, log, createProgress(cli));
      const reports = results.map((report) => explained(report, lastWarning()));
      if (json) printJson(cli, { mode: config.mode, accounts: reports });
      else for (const report of reports) printReport(cli, report);
      cli.exitCode = worst(reports.map(({ exitCode }) => exitCode));
    });
}

interface Report extends Omit<SyncResult, 'failure' | 'held' | 'failed'> {
  readonly exitCode: ExitCode;
  /** Why the configured strategy is not in force; null when it is. */
  readonly strategy: string | null;
  /** What kept a side from being worked with. */
  readonly trouble: string | null;
  readonly held: { readonly count: number; readonly first: readonly Held[] };
  readonly failed: { readonly count: number; readonly causes: readonly Cause[] };
}

interface Held {
  readonly flow: string;
  readonly key: string;
  readonly reason: string;
}

interface Cause {
  readonly cause: string;
  readonly count: number;
  /** What the first of them says. */
  readonly message: string;
}

const HELD_SHOWN = 20;

async function syncAll(config: Config, names: readonly string[], log: Log, progress: Progress): Promise<Report[]> {
  return interruptibly(async (signal) => {
    if (config.state.redis !== null) await requireRedis(config.state.redis);
    const app = await startWorking(config, log);
    try {
      const reports: Report[] = [];
      for (const name of names) {
        const context = app.core.accounts.get(name);
        if (context === undefined) continue;
        const result = await syncAccount(app.core, context, signal, ({ account, step, pending }) =>
          progress.show(`${account}: ${step}${pending === 0 ? '' : `, ${pending} to go`}`),
        );
        signal.throwIfAborted();
        reports.push(await reportOf(app.core, context, result));
      }
      return reports;
    } finally {
      progress.show('what is in progress ends');
      await app.stop(config.shutdownTimeoutMs);
      progress.end();
    }
  });
}

/**
 * A daemon waits for its Redis; a pass that somebody waits for does not.
 * @throws NoRedisError
 */
async function requireRedis(url: string): Promise<void> {
  const redis = connectForCalls({ url }, () => {});
  try {
    await redis.ping();
  } catch (cause) {
    const { host } = new URL(url);
    throw new NoRedisError(`Redis at ${host} does not answer: check the server, or state.redis. Nothing was done.`, {
      cause,
    });
  } finally {
    redis.disconnect();
  }
}

/** @throws LockHeldError that says that somebody works already */
async function startWorking(config: Config, log: Log) {
  try {
    return await startApp({ config, log }, ['work']);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const { dir } = config.state;
    const who = `a daemon or another sync (process ${lockHolder(dir, 'work') ?? 'unknown'})`;
    throw new LockHeldError(
      `${who} keeps ${dir} in step already: nothing was done. "stockbridge status" shows how far it is.`,
      { cause: error },
    );
  }
}

async function reportOf(core: Core, context: AccountContext, result: SyncResult): Promise<Report> {
  const { store } = core.state;
  const { account, written, pending } = result;
  const held = await store.work.held(account);
  const failed = await store.work.failed({ account });
  const first = held.slice(0, HELD_SHOWN).map(({ flow, key, holdReason }) => ({ flow, key, reason: holdReason ?? '' }));
  const health = core.health.away(account);
  const standing = await standingOf(context, context.config.inventory.strategy);
  return {
    account,
    written,
    pending,
    held: { count: result.held, first },
    failed: { count: result.failed, causes: causesOf(failed) },
    strategy: standing.kind === 'waits' ? standing.reason : null,
    trouble: result.failure?.message ?? health?.message ?? null,
    exitCode: worst([
      result.failure === null ? EXIT.ok : retryable(exitCodeOf(result.failure)),
      health === null ? EXIT.ok : health.state === 'credentials' ? EXIT.credentials : EXIT.tryAgain,
      pending > 0 ? EXIT.tryAgain : EXIT.ok,
      result.failed > 0 ? EXIT.failed : EXIT.ok,
    ]),
  };
}

/** Something is left, and no side is to blame: what the log warned of last may tell why. */
function explained(report: Report, lastWarning: string | null): Report {
  return report.trouble === null && report.pending > 0 ? { ...report, trouble: lastWarning } : report;
}

/** For a pass that may be started again at any time, a side that is down is something to try again. */
function retryable(code: ExitCode): ExitCode {
  return code === EXIT.unavailable ? EXIT.tryAgain : code;
}

/** The one that needs a person most. */
function worst(codes: readonly ExitCode[]): ExitCode {
  return [EXIT.credentials, EXIT.failed, EXIT.tryAgain].find((code) => codes.includes(code)) ?? EXIT.ok;
}

function causesOf(failed: readonly FailedJob[]): Cause[] {
  return [...Map.groupBy(failed, ({ cause }) => cause)].map(([cause, jobs]) => ({
    cause,
    count: jobs.length,
    message: jobs[0]?.message ?? '',
  }));
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
  const lines = (text: string) => {
    for (const line of wrap(text, WIDTH, '    ')) print(cli, line);
  };
  if (trouble !== null) lines(trouble);
  if (strategy !== null) lines(strategy);
  if (held.count > 0) print(cli, '  held until something changes:');
  for (const { flow, key, reason } of held.first) lines(`${flow} ${key}: ${reason}`);
  if (held.count > held.first.length) lines(`and ${held.count - held.first.length} more: "stockbridge status"`);
  if (failed.count > 0)
    print(cli, '  failed; "stockbridge jobs list" shows each, "stockbridge jobs replay" tries again:');
  for (const { cause, count, message } of failed.causes) lines(`${count} x ${cause}: ${message}`);
}
