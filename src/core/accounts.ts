import type { AccountConfig } from '../config/resolve.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { JobQueue } from '../daemon/queue/queue.ts';
import { createExclusive } from '../daemon/worker/exclusive.ts';
import { type Health, withHealth } from '../daemon/worker/health.ts';
import { CallFailure } from '../domain/failure.ts';
import { capabilitiesOf } from '../erp/capabilities.ts';
import { createImageFetcher } from '../erp/images/fetcher.ts';
import type { CallRecord, ErpCallTrace } from '../erp/kind.ts';
import type { OnPace } from '../erp/places.ts';
import { withReferences } from '../erp/references.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { createFollowUps } from '../flows/engine/follow-ups.ts';
import { WRITERS } from '../flows/flows.ts';
import type { CallTrace } from '../marketplace/client.ts';
import type { Governor, Lane } from '../marketplace/quota.ts';
import { createBucket } from '../shadow/bucket.ts';
import { COLLECTIONS } from '../shadow/collections.ts';
import { STATED_CAPABILITIES, statedBefore } from '../shadow/erp-capabilities.ts';
import { SINGLE_READS } from '../shadow/follow-hints.ts';
import { createListingReads } from '../shadow/listing-reads.ts';
import { bookOf } from '../shadow/references.ts';
import { createStockReads } from '../shadow/stock-reads.ts';
import type { Store } from '../store/store.ts';
import { openErp, openMarketplace } from './sides.ts';

export interface Account {
  readonly context: AccountContext;
  close(): Promise<void>;
}

export interface AccountParts {
  readonly config: AccountConfig;
  /** Outlives the work on the account, because it remembers the granted calls. */
  readonly quota: Governor;
  readonly erpCalls: CallRecord;
  readonly store: Store;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly health: Health;
  readonly credentials: Pick<Credentials, 'marketplace' | 'erp'>;
  readonly onCall: (call: CallTrace) => void;
  readonly onErpCall: (call: ErpCallTrace) => void;
  readonly onErpPace: OnPace;
  readonly onQuotaWait: (lane: Lane, waitedMs: number) => void;
  readonly onJournal: AccountContext['onJournal'];
  /** False: the lease is over, so nothing more is sent. */
  readonly maySend: () => boolean;
}

export async function openAccount(parts: AccountParts): Promise<Account> {
  const { config, quota, store, queue, health, maySend } = parts;
  const timed = timing(withLeaseGuard(quota, maySend), parts.onQuotaWait);
  const wire = { cut: () => (maySend() ? null : ('not-applied' as const)) };
  const client = openMarketplace(
    config,
    timed,
    (operation) => parts.credentials.marketplace(config.name, operation),
    parts.onCall,
  );
  const erp = await openErp(config, parts.credentials, {
    onCall: parts.onErpCall,
    onPace: parts.onErpPace,
    calls: parts.erpCalls,
    wire,
  });
  const context = createContext({ config, client, erp, store, queue, health, onJournal: parts.onJournal });
  context.heard?.(statedBefore(await store.facts.get(config.name, STATED_CAPABILITIES)));
  return {
    context,
    close: async () => {
      await client.close();
      await erp.close();
    },
  };
}

/** Lets no call to the marketplace leave once the lease is over, however long it has waited. */
export function withLeaseGuard(governor: Governor, maySend: () => boolean): Governor {
  return {
    observe: (headers) => governor.observe(headers),
    async acquire(lane, signal, patienceMs) {
      const message = 'nothing is sent: another daemon may work this account from now on';
      if (!maySend())
        throw new CallFailure(message, { side: 'marketplace', kind: 'unavailable', outcome: 'not-applied' });
      const grant = await governor.acquire(lane, signal, patienceMs);
      return { isLate: () => !maySend() || grant.isLate(), giveBack: () => grant.giveBack() };
    },
  };
}

/** Reports how long each call waited for the quota, admitted or not. */
function timing(governor: Governor, tell: (lane: Lane, waitedMs: number) => void): Governor {
  return {
    observe: (headers) => governor.observe(headers),
    async acquire(lane, signal, patienceMs) {
      const startedMs = performance.now();
      try {
        return await governor.acquire(lane, signal, patienceMs);
      } finally {
        tell(lane, performance.now() - startedMs);
      }
    },
  };
}

/**
 * Both sides are watched, and reads run one at a time.
 * @param now default: this machine's clock
 */
export function createContext(
  parts: Pick<AccountParts, 'config' | 'store' | 'queue' | 'health' | 'onJournal'> &
    Pick<AccountContext, 'client' | 'erp'> &
    Partial<Pick<AccountContext, 'now' | 'images'>>,
): AccountContext {
  const { config, store, queue, health, now = Date.now } = parts;
  const hosts = config.products.images?.hosts ?? [];
  const readListing = createListingReads();
  const readStock = createStockReads();
  let inForce = config;
  let can = capabilitiesOf(config.erp.capabilities);
  const context: AccountContext = {
    account: config.name,
    get config() {
      return inForce;
    },
    heard(said) {
      can = capabilitiesOf(said, config.erp.capabilities);
      const next = config.against(said);
      // Nothing changes for an ERP with all requested capabilities.
      if (next.missing.length > 0 || inForce.missing.length > 0) inForce = next;
    },
    client: withHealth(parts.client, config.name, 'marketplace', health),
    erp: withReferences(
      withHealth(parts.erp, config.name, 'erp', health),
      () => can.reference,
      bookOf(config.name, store),
    ),
    images: parts.images ?? createImageFetcher({ hosts, timeoutMs: config.erp.timeoutMs }),
    store,
    onJournal: parts.onJournal,
    now,
    exclusively: createExclusive(),
    readNow: (collection, look, stillWanted = async () => true) =>
      context.exclusively([`read:${collection}`], async () => {
        // A look may need the list, so it is not read in the lane of bulk. Its rows are as urgent as those of a poll.
        const reading = { ...look, key: 'all', lane: 'poll', callLane: 'read' } as const;
        if (await stillWanted()) await COLLECTIONS[collection].changes(context, reading);
      }),
    readListing: (look, id, archived) => readListing(context, look, id, archived),
    readStock: (look, sku) => readStock(context, look, sku),
    writers: WRITERS,
    singleReads: createBucket(SINGLE_READS, now),
    followUps: createFollowUps(now),
    requestRead: async (collection) => {
      await queue.enqueue([{ account: config.name, name: `read:${collection}`, key: 'all', lane: 'webhook' }]);
    },
  };
  return context;
}
