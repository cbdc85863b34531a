import type { AccountConfig } from '../../config/resolve.ts';
import { openErp, openGovernor, openMarketplace } from '../../core/sides.ts';
import { openRedis } from '../../core/state-redis.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import { connectForCalls } from '../../daemon/redis/connect.ts';
import type { ErpConnector } from '../../erp/connector.ts';
import type { Wire } from '../../erp/wire.ts';
import type { MarketplaceClient } from '../../marketplace/client.ts';
import { withoutFieldNames } from '../../marketplace/dialect.ts';
import { type Opened, openOwnCredentials } from '../open.ts';

/** Uses the deployment's field names, but the documents' statuses. */
export function withDeploymentNames(account: AccountConfig): AccountConfig {
  const { marketplace } = account;
  return { ...account, marketplace: { ...marketplace, dialect: withoutFieldNames(marketplace.dialect) } };
}

type Calling = Pick<Opened, 'config' | 'log' | 'credentials'>;

/** The account's marketplace within its quota, without the daemon. */
export async function withMarketplace<T>(
  opened: Calling,
  account: AccountConfig,
  work: (client: MarketplaceClient) => Promise<T>,
): Promise<T> {
  const { config, log } = opened;
  return withCredentials(opened, async (credentials) => {
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

/** The account's ERP, without the daemon. `wire` sees all traffic. */
export async function withErp<T>(
  opened: Calling,
  account: AccountConfig,
  work: (erp: ErpConnector) => Promise<T>,
  wire?: Wire,
): Promise<T> {
  return withCredentials(opened, async (credentials) => {
    const erp = await openErp(account, credentials, { wire });
    try {
      return await work(erp);
    } finally {
      await erp.close();
    }
  });
}

async function withCredentials<T>(
  { config, log, credentials: inForce }: Calling,
  work: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  if (inForce !== undefined) return work(inForce);
  const { credentials, close } = await openOwnCredentials(config, log);
  try {
    return await work(credentials);
  } finally {
    close();
  }
}
