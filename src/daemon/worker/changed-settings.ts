import type { AccountContext } from '../../flows/engine/context.ts';
import { collectionsRead } from '../../flows/flows.ts';
import { startReads } from '../../shadow/collections.ts';
import type { Job, JobQueue } from '../queue/queue.ts';

/** Fact: the settings under which every entity was looked at. */
const COMPARED_WITH = 'compared-with';
const EVERYTHING = { name: 'read:everything', key: 'settings' };
/** A list that cannot be read keeps the rest waiting no longer than this. */
const WAIT_AT_MOST_MS = 10 * 60 * 1000;

/**
 * Settings that have changed concern every entity, also those that neither side changes: all are looked at. That waits for the
 * lists to be read, so that no figure from before a stop is acted on.
 */
export async function compareUnderSettings(
  { account, config, store }: Pick<AccountContext, 'account' | 'config' | 'store'>,
  queue: Pick<JobQueue, 'enqueue'>,
) {
  const beganMs = performance.now();
  const unread = new Set<string>(startReads(collectionsRead(config)));
  const isMeant = ({ name, key }: Job) => name === EVERYTHING.name && key === EVERYTHING.key;
  const compared = () => store.facts.set(account, COMPARED_WITH, config.settings);
  const before = await store.facts.get(account, COMPARED_WITH);
  if (before === null) await compared();
  else if (before !== config.settings) await queue.enqueue([{ account, lane: 'backfill', ...EVERYTHING }]);
  return {
    /** Is it too early for this job? */
    isEarly: (job: Job): boolean => isMeant(job) && unread.size > 0 && performance.now() - beganMs < WAIT_AT_MOST_MS,
    async done(job: Job): Promise<void> {
      unread.delete(job.name);
      if (isMeant(job)) await compared();
    },
  };
}
