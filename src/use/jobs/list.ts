import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditRow, ReplayState } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import type { Opened } from '../open.ts';
import { type Doubt, doubtsOf } from './doubts.ts';
import { type Job, type Selection, selectJobs } from './select.ts';

/** The jobs that failed for good or are in doubt, and the number of held ones. */
export interface JobList {
  /** The causes in the order of their first job. */
  readonly causes: readonly (readonly [cause: string, jobs: readonly Job[]])[];
  readonly doubts: readonly Doubt[];
  readonly held: number;
}

export async function listJobs(opened: Opened, selection: Selection): Promise<JobList> {
  const { jobs } = await selectJobs(opened, [], selection);
  const { account } = selection;
  const held = (await opened.store.work.counts()).filter(
    (row) => row.state === 'held' && (account === undefined || row.account === account),
  );
  return {
    causes: [...Map.groupBy(jobs, ({ cause }) => cause)],
    doubts: await doubtsOf(opened.store, account),
    held: held.reduce((total, { count }) => total + count, 0),
  };
}

/** The result of one replayed job, as the audit log tells it. */
export interface ReplayResult extends AuditRow {
  readonly state: ReplayState;
}

const WAIT_LIMIT_MS = 600_000;
const ASK_EVERY_MS = 200;

/** Follows the audit log until it tells of each of these replays, for ten minutes at most. Answers the acts. */
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
    if (open.size > 0) await sleep(ASK_EVERY_MS, undefined, { signal });
  }
  return results;
}
