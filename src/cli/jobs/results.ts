import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditRow } from '../../store/sqlite/audit.ts';
import type { Store } from '../../store/sqlite/store.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Cli, note } from '../output.ts';
import { interruptibly } from '../signals.ts';

/** What became of one replayed job, as the audit log tells it. */
export type ReplayResult = AuditRow;

const WAIT_LIMIT_MS = 600_000;
const ASK_EVERY_MS = 200;

/** Follows the audit log until it tells of each of these replays, for ten minutes at most. Answers what it told. */
export function awaitResults(
  store: Store,
  ids: readonly number[],
  tell: (result: ReplayResult) => void,
): Promise<ReplayResult[]> {
  return interruptibly(async (signal) => {
    const results: ReplayResult[] = [];
    const open = new Set(ids);
    const deadlineMs = performance.now() + WAIT_LIMIT_MS;
    while (open.size > 0 && performance.now() < deadlineMs) {
      for (const result of await store.audit.resultsOf([...open])) {
        open.delete(result.resultOf ?? 0);
        results.push(result);
        tell(result);
      }
      if (open.size > 0) await sleep(ASK_EVERY_MS, undefined, { signal });
    }
    return results;
  });
}

const isFailure = ({ outcome }: ReplayResult) => outcome.startsWith('failed again');
const isHeld = ({ outcome }: ReplayResult) => outcome.startsWith('held');

/** 1 when some failed again, 75 when some are held or have not come to their end yet. */
export function exitCodeOfResults(results: readonly ReplayResult[], asked: number): ExitCode {
  if (results.some(isFailure)) return EXIT.failed;
  return results.length < asked || results.some(isHeld) ? EXIT.tryAgain : EXIT.ok;
}

export function noteCounts(cli: Cli, results: readonly ReplayResult[], asked: number): void {
  const of = (start: string) => results.filter(({ outcome }) => outcome.startsWith(start)).length;
  const counts = [
    [of('written'), 'written'],
    [of('already in step'), 'already in step'],
    [of('held'), 'held'],
    [of('failed again'), 'failed again'],
    [asked - results.length, 'without a result yet'],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  note(cli, `Of ${asked}: ${told.join(', ')}.`);
}

export function asResult({ account, flow, key, outcome, atMs, resultOf }: ReplayResult) {
  return { account, flow, key, outcome, at: new Date(atMs).toISOString(), replay: resultOf };
}
