import type { AccountConfig, Config } from '../../config/resolve.ts';
import { connectForCalls } from '../../daemon/redis/connect.ts';
import type { Log } from '../../logging.ts';
import type { MarketplaceClient } from '../../marketplace/client.ts';
import { openGovernor, openMarketplace } from '../../sides.ts';
import { openRedis } from '../../state-redis.ts';

/** The marketplace of one account within its quota, without the daemon and without the database. */
export async function withMarketplace<T>(
  config: Config,
  account: AccountConfig,
  log: Log,
  work: (client: MarketplaceClient) => Promise<T>,
): Promise<T> {
  const { target, stop } = await openRedis(config, config.state.dir, log);
  const redis = connectForCalls(target, (error) => log.warn({ err: error }, 'Redis is in trouble'));
  const client = openMarketplace(account, openGovernor(account, redis));
  try {
    return await work(client);
  } finally {
    await client.close();
    redis.disconnect();
    await stop();
  }
}
