import type { AccountConfig, Config } from '../../config/resolve.ts';
import { connectForCalls } from '../../daemon/redis/connect.ts';
import type { Log } from '../../logging.ts';
import type { MarketplaceClient } from '../../marketplace/client.ts';
import { openGovernor, openMarketplace } from '../../sides.ts';
import { openRedis } from '../../state-redis.ts';
import { interruptibly } from '../signals.ts';

/**
 * The marketplace of one account within its quota, and nothing of the daemon besides: what is called by hand needs no
 * database.
 * @throws Interrupted when it was stopped
 */
export function withMarketplace(
  config: Config,
  account: AccountConfig,
  log: Log,
  work: (client: MarketplaceClient, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  return interruptibly(async (signal) => {
    const { target, stop } = await openRedis(config, config.state.dir, log);
    const redis = connectForCalls(target, (error) => log.warn({ err: error }, 'Redis is in trouble'));
    const client = openMarketplace(account, openGovernor(account, redis));
    try {
      await work(client, signal);
    } finally {
      await client.close();
      redis.disconnect();
      await stop();
    }
  });
}
