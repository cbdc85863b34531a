import { type AccountConfig, resolveConfig } from '../../src/config/resolve.ts';
import { configFile } from '../../src/config/schema.ts';
import type { AccountContext } from '../../src/reconcile/context.ts';
import type { Store } from '../../src/store/store.ts';
import { createExclusive } from '../../src/worker/exclusive.ts';

/** The configuration of one account, with these settings as they stand in the file. */
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

/** Nobody answers on the two sides unless they are given. */
export function accountContext(
  store: Store,
  config: AccountConfig,
  sides: Partial<Pick<AccountContext, 'client' | 'erp' | 'images'>> = {},
): AccountContext {
  const nobody = new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(`nobody answers ${String(name)}`)) });
  return {
    account: config.name,
    config,
    client: nobody as AccountContext['client'],
    erp: nobody as AccountContext['erp'],
    images: nobody as AccountContext['images'],
    store,
    onJournal: () => {},
    now: () => 1_000_000,
    exclusively: createExclusive(),
    readNow: async () => {},
    requestRead: async () => {},
    ...sides,
  };
}
