import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../domain/counted.ts';
import type { AuditRow, ReplayState } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import type { AdminContext } from '../admin-context.ts';
import type { Opened } from '../open.ts';
import type { Task } from '../tasks.ts';
import { untilStable } from '../until-stable.ts';
import { type Job, type Selection, selectJobs } from './select.ts';

/** Jobs are picked by name or by filter, not by neither or both. */
export function pickOf(
  names: readonly string[],
  { all, error, olderThan }: Selection,
): 'named' | 'filtered' | 'neither' | 'both' {
  const isFiltered = [all, error, olderThan].some((one) => one !== undefined);
  if (names.length > 0) return isFiltered ? 'both' : 'named';
  return isFiltered ? 'filtered' : 'neither';
}

/**
 * Marks failed jobs as pending, so that both sides are compared again.
 * @param isDryRun changes nothing
 * @returns the acts in the audit log, one for each job
 */
export async function replayJobs({ store, by }: Opened, jobs: readonly Job[], isDryRun = false): Promise<number[]> {
  return isDryRun || jobs.length === 0 ? [] : store.work.replay(jobs, by);
}

/**
 * Drops failed jobs until their entities change.
 * @param isDryRun changes nothing
 */
export async function discardJobs({ store, by }: Opened, jobs: readonly Job[], isDryRun = false): Promise<void> {
  if (!isDryRun && jobs.length > 0) await store.work.discard(jobs, by);
}

export interface ReplayResult extends AuditRow {
  readonly state: ReplayState;
}

const WAIT_LIMIT_MS = 600_000;
const LOOK_EVERY_MS = 200;

/** Waits up to ten minutes for these replays' results in the audit log. */
export async function awaitResults(
  store: Store,
  ids: readonly number[],
  signal: AbortSignal,
  tell: (result: ReplayResult) => void,
): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  const open = new Set(ids);
  const deadlineMs = performance.now() + WAIT_LIMIT_MS;
  while (open.size > 0 && performance.now() < deadlineMs) {
    for (const act of await store.audit.resultsOf([...open])) {
      const result = { ...act, state: act.after as ReplayState };
      open.delete(act.resultOf ?? 0);
      results.push(result);
      tell(result);
    }
    if (open.size > 0) await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return results;
}

const TASK_LOOKS_EVERY_MS = 500;
const AT_ONCE = 500;
const IDLE_MS = 120_000;

/**
 * Replays an account's failed jobs that match a filter, and counts their results.
 * @throws TaskRunning
 */
export function startReplay(opened: AdminContext, account: string, filter: Pick<Selection, 'error' | 'limit'>): Task {
  return opened.tasks.start({ account, kind: 'replay', by: opened.by }, async ({ signal, progress }) => {
    const { jobs } = await selectJobs(opened, [], { ...filter, account });
    const acts = await replayJobs(opened, jobs);
    const ended = new Map<number, string>();
    const look = async () => {
      progress('looked at afresh', ended.size, acts.length);
      const open = acts.filter((id) => !ended.has(id));
      for (let at = 0; at < open.length; at += AT_ONCE) {
        for (const { resultOf, after } of await opened.store.audit.resultsOf(open.slice(at, at + AT_ONCE)))
          if (resultOf !== null) ended.set(resultOf, after ?? '');
      }
      return ended.size === acts.length ? null : ended.size;
    };
    await untilStable(look, { everyMs: TASK_LOOKS_EVERY_MS, idleMs: IDLE_MS, signal });
    progress('looked at afresh', ended.size, acts.length);
    return { said: `${counted(acts.length, 'job')} replayed: ${resultsText([...ended.values()], acts.length)}.` };
  });
}

function resultsText(results: readonly string[], all: number): string {
  const groups = [...Map.groupBy(results, (state) => state)].map(([state, { length }]) => `${length} ${state}`);
  const left = all - results.length;
  return [...groups, ...(left > 0 || all === 0 ? [`${left} not ended`] : [])].join(', ');
}
