import { type AccountConfig, resolveConfig } from '../../src/config/resolve.ts';
import { configFile } from '../../src/config/schema.ts';
import { createExclusive } from '../../src/daemon/worker/exclusive.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { createFollowUps } from '../../src/flows/engine/follow-ups.ts';
import { WRITERS } from '../../src/flows/flows.ts';
import { recordReadTime } from '../../src/shadow/last-read.ts';
import { createListingReads } from '../../src/shadow/listing-reads.ts';
import { createStockReads } from '../../src/shadow/stock-reads.ts';
import type { Store } from '../../src/store/store.ts';

/** The configuration of one account, with these settings as in the file. */
export function accountConfig(settings: Record<string, unknown> = {}): AccountConfig {
  const account = {
    marketplace: { base_url: 'http://marketplace.test', auth: { scheme: 'app', key: 'a-key' }, seller_id: 4711 },
    erp: { type: 'http', url: 'http://erp.test', token: 'a-token' },
    inventory: { strategy: 'b' },
    ...settings,
  };
  const [config] = resolveConfig(configFile.parse({ accounts: { main: account } })).accounts;
  if (config === undefined) throw new Error('the file has an account');
  return config;
}

/** The two sides do not answer unless they are given. Reads of orders bring nothing new. */
export function accountContext(
  store: Store,
  config: AccountConfig,
  sides: Partial<AccountContext> = {},
): AccountContext {
  const nobody = new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(`nobody answers ${String(name)}`)) });
  const readListing = createListingReads();
  const readStock = createStockReads();
  const context: AccountContext = {
    account: config.name,
    config,
    client: nobody as AccountContext['client'],
    erp: nobody as AccountContext['erp'],
    images: nobody as AccountContext['images'],
    store,
    onJournal: () => {},
    now,
    exclusively: createExclusive(),
    readNow: readingNothing(store, config.name, sides.now ?? now),
    readListing: (look, id, archived) => readListing(context, look, id, archived),
    readStock: (look, sku) => readStock(context, look, sku),
    writers: WRITERS,
    singleReads: () => 0,
    requestRead: async () => {},
    followUps: createFollowUps(Date.now),
    ...sides,
  };
  return context;
}

const now = () => 1_000_000;

/** Reads that are complete and bring nothing. */
function readingNothing(store: Store, account: string, nowMs: () => number): AccountContext['readNow'] {
  return async (collection, _look, stillWanted = async () => true) => {
    if (!(await stillWanted())) return;
    const began = { tick: await store.cursors.tick(account), atMs: nowMs() };
    if (collection === 'erp-orders') return reachTheEnd(store, account);
    if (collection !== 'products') await recordReadTime({ account, store, now: () => 0 }, collection, began);
  };
}

async function reachTheEnd(store: Store, account: string): Promise<void> {
  const to = '2999-01-01T00:00:00Z';
  const window = { account, collection: 'erp-orders', from: null, to, rows: 0, finding: null };
  await store.cursors.record({ ...window, cursor: to });
}
