import { isCompared, startComparison } from '../../flows/compared.ts';
import type { AccountContext } from '../../flows/engine/context.ts';
import { collectionsRead } from '../../flows/flows.ts';
import type { Log } from '../../logging/logging.ts';
import { startReads } from '../../shadow/collections.ts';
import type { Job, JobQueue } from '../queue/queue.ts';

const EVERYTHING = { name: 'read:everything', key: 'settings', lane: 'backfill' } as const;
/** The longest delay by a list that cannot be read. */
const WAIT_AT_MOST_MS = 10 * 60 * 1000;
/** How often the job is queued again, because a wiped queue has lost it. */
const AGAIN_EVERY_MS = 15_000;

/**
 * Changed settings may affect every entity. All are processed once the lists have been read: no write may rest on a
 * figure from before the stop.
 */
export async function compareUnderSettings(
  context: Pick<AccountContext, 'account' | 'config' | 'store'>,
  queue: Pick<JobQueue, 'enqueue'>,
  log: Log,
) {
  const { account, config } = context;
  const beganMs = performance.now();
  const unread = new Set<string>(startReads(collectionsRead(config)));
  const isMeant = ({ name, key }: Job) => name === EVERYTHING.name && key === EVERYTHING.key;
  let isDue = await startComparison(context);
  const ask = () => queue.enqueue([{ account, ...EVERYTHING }]);
  if (isDue) await ask();
  const again = setInterval(() => {
    if (isDue) ask().catch((error: unknown) => log.debug({ account, err: error }, 'not queued'));
  }, AGAIN_EVERY_MS);
  return {
    /** Must this job still wait for the lists? */
    isEarly: (job: Job): boolean => isMeant(job) && unread.size > 0 && performance.now() - beganMs < WAIT_AT_MOST_MS,
    isNeedless: (job: Job): boolean => isMeant(job) && !isDue,
    async done(job: Job): Promise<void> {
      unread.delete(job.name);
      if (job.name === EVERYTHING.name && isDue) isDue = !(await isCompared(context));
    },
    stop: () => clearInterval(again),
  };
}
