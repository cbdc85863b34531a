import type { Redis } from 'ioredis';
import type { AccountContext } from '../reconcile/context.ts';
import { LISTINGS_KNOWN } from '../reconcile/product/flow.ts';
import type { Store } from '../store/store.ts';
import { type Health, SIDE_NAMES, SIDES } from './health.ts';

/** Every reason why the daemon cannot do its work now, each with what to do. */
export async function readinessReasons(parts: {
  redis: Redis;
  store: Store;
  accounts: ReadonlyMap<string, AccountContext>;
  health: Health;
}): Promise<string[]> {
  const { redis, store, accounts, health } = parts;
  const reasons: string[] = [];
  const isConnected = redis.status === 'ready';
  if (!isConnected) reasons.push('Redis does not answer: check the server, or state.redis');
  const written = await store.facts.set('', 'heartbeat', '').catch((error: unknown) => error);
  if (written instanceof Error) reasons.push(`the database cannot be written (${written.message}): is the disk full?`);
  for (const [account, context] of accounts) {
    for (const side of SIDES) {
      const { state, message } = health.get(account, side);
      if (side === 'redis' && !isConnected) continue;
      if (state === 'credentials') reasons.push(`${account}: ${SIDE_NAMES[side]} refuses the credentials: ${message}`);
      if (state === 'down') reasons.push(`${account}: ${SIDE_NAMES[side]} does not answer: ${message}`);
    }
    const known = await context.store.facts.get(account, LISTINGS_KNOWN);
    if (known === null) reasons.push(`${account}: the listings have not been read completely yet`);
  }
  return reasons;
}
