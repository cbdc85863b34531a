import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { AccountConfig } from './config/resolve.ts';
import type { ErpConnector } from './erp/connector.ts';
import { createHttpErp } from './erp/http/connector.ts';
import { type CallTrace, createMarketplaceClient, type MarketplaceClient } from './marketplace/client.ts';
import { createGovernor, type QuotaLimits, type QuotaUsage } from './marketplace/governor.ts';
import type { JobQueue } from './queue/queue.ts';
import { readErpOrders } from './reading/read-erp.ts';
import { readOrders } from './reading/read-orders.ts';
import type { AccountContext } from './reconcile/context.ts';
import type { Store } from './store/store.ts';
import { createExclusive } from './worker/exclusive.ts';
import { type Health, watched } from './worker/health.ts';

export interface Account {
  readonly context: AccountContext;
  readonly usage: () => Promise<QuotaUsage | null>;
  close(): Promise<void>;
}

export interface AccountParts {
  readonly config: AccountConfig;
  readonly redis: Redis;
  readonly store: Store;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly health: Health;
  readonly onCall: (account: string, call: CallTrace) => void;
  readonly onJournal: AccountContext['onJournal'];
  /** Tests without a quota. */
  readonly unlimited?: boolean;
}

/**
 * How much of an account's quota is used; null when it has none.
 * @throws CallFailure when Redis does not answer
 */
export function quotaUsage(config: AccountConfig, redis: Redis): Promise<QuotaUsage | null> {
  return governorOf(config, redis, config.marketplace.limits).usage();
}

/** A worker does not wait longer than this for room in the quota: then the job is handed back. */
const MAX_QUOTA_WAIT_MS = 10_000;

/** One account's two sides and what works on them. */
export function openAccount(parts: AccountParts): Account {
  const { config, redis, store, queue, health } = parts;
  const { marketplace } = config;
  const governor = governorOf(config, redis, parts.unlimited ? null : marketplace.limits);
  const client: MarketplaceClient = createMarketplaceClient({
    ...marketplace,
    overrides: marketplace.operations,
    governor,
    onCall: (call) => parts.onCall(config.name, call),
  });
  const erp: ErpConnector = createHttpErp(config.erp);
  return {
    context: createContext({ config, client, erp, store, queue, health, onJournal: parts.onJournal }),
    usage: () => governor.usage(),
    close: async () => {
      await client.close();
      await erp.close();
    },
  };
}

/** What flows and reads work with: both sides watched, reads one at a time. */
export function createContext(
  parts: Pick<AccountParts, 'config' | 'store' | 'queue' | 'health' | 'onJournal'> &
    Pick<AccountContext, 'client' | 'erp'>,
): AccountContext {
  const { config, store, queue, health } = parts;
  const context: AccountContext = {
    account: config.name,
    config,
    client: watched(parts.client, config.name, 'marketplace', health),
    erp: watched(parts.erp, config.name, 'erp', health),
    store,
    onJournal: parts.onJournal,
    now: Date.now,
    exclusively: createExclusive(),
    readNow: (collection, look, stillWanted = async () => true) =>
      context.exclusively([`read:${collection}`], async () => {
        if (await stillWanted())
          await (collection === 'orders' ? readOrders(context, look) : readErpOrders(context, look));
      }),
    requestRead: async (collection) => {
      await queue.enqueue([{ account: config.name, name: `read:${collection}`, key: 'all', lane: 'webhook' }]);
    },
  };
  return context;
}

function governorOf(config: AccountConfig, redis: Redis, limits: QuotaLimits | null) {
  return createGovernor({ redis, owner: keyOwner(config), limits, maxWaitMs: MAX_QUOTA_WAIT_MS });
}

/** The quota belongs to the company that owns the key (field notes), so its programs share it. */
function keyOwner({ marketplace }: AccountConfig): string {
  return createHash('sha256').update(`${marketplace.baseUrl} ${marketplace.sellerId}`).digest('hex').slice(0, 16);
}
