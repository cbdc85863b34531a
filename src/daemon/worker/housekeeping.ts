import type { Config } from '../../config/resolve.ts';
import type { Log } from '../../logging/logging.ts';
import type { MarketplaceReading } from '../../shadow/context.ts';
import { beginListening, lookForSilence } from '../../shadow/webhook-watch.ts';
import { ANSWERS_KEPT_MS } from '../../store/answers.ts';
import type { Store } from '../../store/store.ts';
import { repeat } from '../repeated.ts';
import { forgetOld } from './forget-old.ts';

const LOOK_FOR_SILENCE_EVERY_MS = 15_000;
const RELEASE_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;

type Retention = Pick<Config, 'mode' | 'retention'>;

/**
 * Releases an account's held entities from time to time, because the cause may be gone, and erases old personal data.
 */
export function startHousekeeping(config: Retention, context: MarketplaceReading, log: Log) {
  const { account, store } = context;
  const facts = { account };
  return repeat(log, facts, [
    {
      task: 'looking again at what is held',
      everyMs: RELEASE_EVERY_MS,
      // A dry run's planned writes stay recorded until the mode is live.
      work: async () => config.mode === 'live' && store.work.release({ account }),
    },
    {
      task: 'looking whether webhooks still come',
      everyMs: LOOK_FOR_SILENCE_EVERY_MS,
      atOnce: () => beginListening(context),
      work: () => lookForSilence(context),
    },
    {
      task: 'forgetting',
      everyMs: pruneEveryMs(config),
      work: () => forgetOld(context, config.retention, Date.now()),
    },
  ]);
}

export function startPruning(config: Retention, { store, giveBackSpace }: Kept, log: Log) {
  const work = async () => {
    const now = Date.now();
    const { journalMs, inboxMs } = config.retention;
    await store.journal.prune(now - journalMs);
    await store.inbox.prune(now - inboxMs);
    await store.intents.prune(now - journalMs);
    await store.answers.prune(now - ANSWERS_KEPT_MS);
    await store.drifts.prune();
    await store.history.prune(now - journalMs);
    giveBackSpace();
  };
  return repeat(log, {}, [{ task: 'pruning', everyMs: pruneEveryMs(config), work }]);
}

interface Kept {
  readonly store: Store;
  giveBackSpace(): void;
}

function pruneEveryMs({ retention }: Retention): number {
  return Math.min(PRUNE_EVERY_MS, retention.journalMs / 4, retention.inboxMs / 4);
}
