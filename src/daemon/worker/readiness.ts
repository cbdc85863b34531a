import type { Redis } from 'ioredis';
import type { Known } from '../../shadow/context.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import type { Store } from '../../store/store.ts';
import { type Health, SIDE_NAMES, SIDES } from './health.ts';

/** The key expires after this. */
const HEARTBEAT_MS = 1_000;

interface Own {
  readonly redis: Redis;
  /** The prefix of this installation's keys. */
  readonly prefix: string;
  readonly store: Store;
}

/**
 * Every reason why this process cannot do its work now, each with what to do.
 * @param parts `works`: it has the role that calls the two sides. A process without it does not know how they answer.
 */
export async function readinessOf(parts: {
  redis: Redis;
  prefix: string;
  store: Store;
  accounts: ReadonlyMap<string, Known>;
  health: Health;
  works: boolean;
}): Promise<{ ready: boolean; reasons: string[]; unknown: string[] }> {
  const reasons = await ownReasons(parts);
  const unknown: string[] = [];
  for (const [account, { store }] of parts.accounts) {
    if (parts.works) {
      reasons.push(...reasonsOfSides(account, parts));
      const known = await store.facts.get(account, LISTINGS_KNOWN);
      if (known === null) reasons.push(`${account}: the listings have not been read completely yet`);
    } else {
      const sides = `whether ${SIDE_NAMES.marketplace} and ${SIDE_NAMES.erp} answer and take the credentials`;
      unknown.push(`${account}: ${sides}: only the process with the role work knows`);
    }
  }
  return { ready: reasons.length === 0, reasons, unknown };
}

async function ownReasons({ redis, prefix, store }: Own): Promise<string[]> {
  const reasons: string[] = [];
  if (redis.status !== 'ready') reasons.push('Redis does not answer: check the server, or state.redis');
  else {
    // A Redis that is out of memory answers, but refuses writes.
    const kept = await redis.set(`${prefix}:heartbeat`, '', 'PX', HEARTBEAT_MS).catch((error: unknown) => error);
    if (kept instanceof Error) {
      reasons.push(`Redis cannot be written (${kept.message}): raise its maxmemory, or make room on its disk`);
    }
  }
  const written = await store.facts.set('', 'heartbeat', '').catch((error: unknown) => error);
  if (written instanceof Error) reasons.push(`the database cannot be written (${written.message}): is the disk full?`);
  return reasons;
}

function reasonsOfSides(account: string, { redis, health }: { redis: Redis; health: Health }): string[] {
  const reasons: string[] = [];
  for (const side of SIDES) {
    const { state, message } = health.get(account, side);
    if (side === 'redis' && redis.status !== 'ready') continue;
    if (state === 'credentials') reasons.push(`${account}: ${SIDE_NAMES[side]} refuses the credentials: ${message}`);
    if (state === 'down') reasons.push(`${account}: ${SIDE_NAMES[side]} does not answer: ${message}`);
  }
  return reasons;
}
