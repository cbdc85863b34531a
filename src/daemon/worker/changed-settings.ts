import type { AccountContext } from '../../flows/engine/context.ts';
import { collectionsRead } from '../../flows/flows.ts';
import { startReads } from '../../shadow/collections.ts';
import type { Job, JobQueue } from '../queue/queue.ts';

/** Fact: the settings under which every entity was looked at. */
const COMPARED_WITH = 'compared-with';
const EVERYTHING = { name: 'read:everything', key: 'settings' };
/** A list that cannot be read delays the rest no longer than this. */
const WAIT_AT_MOST_MS = 10 * 60 * 1000;

/**
 * Changed settings concern every entity, even if neither side changes it. So every entity is looked at. This waits until the
 * lists have been read: no write may rest on a figure from before a stop.
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
