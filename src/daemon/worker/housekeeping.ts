import type { Config } from '../../config/resolve.ts';
import type { Log } from '../../logging.ts';
import type { MarketplaceReading } from '../../shadow/context.ts';
import { beginListening, lookForSilence } from '../../shadow/webhook-watch.ts';
import type { Store } from '../../store/store.ts';
import { forgetOld } from './forget-old.ts';

const LOOK_FOR_SILENCE_EVERY_MS = 15_000;
const RELEASE_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;

interface Kept {
  readonly config: Config;
  readonly log: Log;
  readonly state: { readonly store: Store; giveBackSpace(): void };
  readonly accounts: ReadonlyMap<string, MarketplaceReading>;
}

/** Looks at held keys from time to time, because their cause may be gone, and deletes old records. */
export function startHousekeeping({ config, log, state, accounts }: Kept) {
  const { store } = state;
  const guarded = (task: string, work: () => Promise<unknown>) => () => {
    work().catch((error: unknown) => log.warn({ task, err: error }, 'housekeeping did not succeed'));
  };
  const release = guarded('looking again at what is held', async () => {
    // A dry run's planned writes stay on record until the mode is live.
    if (config.mode === 'live') await store.work.release({});
  });
  const listen = guarded('looking whether webhooks still come', async () => {
    for (const context of accounts.values()) await lookForSilence(context);
  });
  const prune = guarded('pruning', async () => {
    const now = Date.now();
    await store.journal.prune(now - config.retention.journalMs);
    await store.inbox.prune(now - config.retention.inboxMs);
    await store.intents.prune(now - config.retention.journalMs);
    await store.drifts.prune();
    await store.history.prune(now - config.retention.journalMs);
    for (const context of accounts.values()) await forgetOld(context, config.retention, now);
    state.giveBackSpace();
  });
  const begin = guarded('beginning to listen for webhooks', async () => {
    for (const context of accounts.values()) await beginListening(context);
  });
  begin();
  const { journalMs, inboxMs } = config.retention;
  const pruneEveryMs = Math.min(PRUNE_EVERY_MS, journalMs / 4, inboxMs / 4);
  const timers = [
    setInterval(release, RELEASE_EVERY_MS),
    setInterval(listen, LOOK_FOR_SILENCE_EVERY_MS),
    setInterval(prune, pruneEveryMs),
  ];
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
