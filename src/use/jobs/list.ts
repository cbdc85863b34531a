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
