import type { Opened } from '../open.ts';
import type { Job, Selection } from './select.ts';

/** Says how a request picks its jobs: by their names or by a filter. A request that does neither or both is not clear. */
export function pickOf(
  names: readonly string[],
  { all, error, olderThan }: Selection,
): 'named' | 'filtered' | 'neither' | 'both' {
  const isFiltered = [all, error, olderThan].some((one) => one !== undefined);
  if (names.length > 0) return isFiltered ? 'both' : 'named';
  return isFiltered ? 'filtered' : 'neither';
}

/**
 * Marks the work of failed jobs as pending: both sides are looked at afresh.
 * @param isDryRun true: nothing is changed
 * @returns the acts in the audit log, one for each job
 */
export async function replayJobs({ store, by }: Opened, jobs: readonly Job[], isDryRun = false): Promise<number[]> {
  return isDryRun || jobs.length === 0 ? [] : store.work.replay(jobs, by);
}

/**
 * Forgets failed jobs until their entities change.
 * @param isDryRun true: nothing is changed
 */
export async function discardJobs({ store, by }: Opened, jobs: readonly Job[], isDryRun = false): Promise<void> {
  if (!isDryRun && jobs.length > 0) await store.work.discard(jobs, by);
}
