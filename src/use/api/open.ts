import type { AccountConfig, Config } from '../../config/resolve.ts';
import { openErp, openGovernor, openMarketplace } from '../../core/sides.ts';
import { openRedis } from '../../core/state-redis.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import { connectForCalls } from '../../daemon/redis/connect.ts';
import type { ErpConnector } from '../../erp/connector.ts';
import type { Wire } from '../../erp/wire.ts';
import type { Log } from '../../logging/logging.ts';
import type { MarketplaceClient } from '../../marketplace/client.ts';
import { wordsAlone } from '../../marketplace/dialect.ts';
import { openOwnCredentials } from '../open.ts';

/** An account whose records are sent and answered with the deployment's own names of fields. Statuses are those of the documents. */
export function inTheirNames(account: AccountConfig): AccountConfig {
  const { marketplace } = account;
  return { ...account, marketplace: { ...marketplace, dialect: wordsAlone(marketplace.dialect) } };
}

/** The marketplace of one account within its quota, without the daemon. */
export async function withMarketplace<T>(
  config: Config,
  account: AccountConfig,
  log: Log,
  work: (client: MarketplaceClient) => Promise<T>,
): Promise<T> {
  return withCredentials(config, log, async (credentials) => {
    const { target, stop } = await openRedis(config, config.state.dir, log);
    const redis = connectForCalls(target, (error) =>
      log.warn({ reason: error.message, err: error }, 'Redis is in trouble'),
    );
    const client = openMarketplace(account, openGovernor(account, redis, target), (operation) =>
      credentials.marketplace(account.name, operation),
    );
    try {
      return await work(client);
    } finally {
      await client.close();
      redis.disconnect();
      await stop();
    }
  });
}

/** The ERP of one account, without the daemon. `wire` sees everything that is sent and received. */
export async function withErp<T>(
  config: Config,
  account: AccountConfig,
  log: Log,
  work: (erp: ErpConnector) => Promise<T>,
  wire?: Wire,
): Promise<T> {
  return withCredentials(config, log, async (credentials) => {
    const erp = await openErp(account, credentials, { wire });
    try {
      return await work(erp);
    } finally {
      await erp.close();
    }
  });
}

async function withCredentials<T>(
  config: Config,
  log: Log,
  work: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  const { credentials, close } = await openOwnCredentials(config, log);
  try {
    return await work(credentials);
  } finally {
    close();
  }
}
