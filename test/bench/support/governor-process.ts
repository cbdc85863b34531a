import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createGovernor } from '../../../src/marketplace/governor.ts';
import { type Governor, type Lane, UNLIMITED } from '../../../src/marketplace/quota.ts';
import { serve } from './rpc.ts';

/* One of several processes that use up a quota: a backfill as fast as it may, and now and then an interactive call. */

const CALLS_AT_ONCE = 4;

export interface Load {
  readonly kind: 'governor' | 'fixed windows';
  readonly redisSocket: string;
  readonly url: string;
  readonly seconds: number;
  readonly limits: { readonly perSecond: number; readonly perMinute: number };
  /** One interactive call in so many milliseconds. */
  readonly interactiveEveryMs: number;
}

export interface Tally {
  readonly calls: number;
  readonly refused: number;
  /** How long interactive calls waited for their turn. */
  readonly waitedMs: readonly number[];
}

const api = {
  async use(load: Load): Promise<Tally> {
    const redis = new Redis(load.redisSocket, {});
    const governor =
      load.kind === 'governor'
        ? createGovernor({ redis, owner: 'bench', mayForget: false, limits: load.limits, maxWaitMs: 120_000 })
        : fixedWindows(redis, load.limits);
    const tally = { calls: 0, refused: 0, waitedMs: [] as number[] };
    const endMs = performance.now() + load.seconds * 1_000;
    const stopping = AbortSignal.timeout(load.seconds * 1_000);
    const callOnce = (lane: Lane) =>
      call(governor, lane, load, stopping, tally).catch((error: unknown) => {
        if (!stopping.aborted) throw error;
      });
    const backfill = Array.from({ length: CALLS_AT_ONCE }, async () => {
      while (performance.now() < endMs) await callOnce('backfill');
    });
    const interactive = async () => {
      while (performance.now() < endMs) {
        await sleep(Math.random() * 2 * load.interactiveEveryMs);
        if (performance.now() < endMs) void callOnce('webhook');
      }
    };
    await Promise.race([Promise.all([...backfill, interactive()]), sleep(load.seconds * 1_000)]);
    redis.disconnect();
    return tally;
  },
};

export type GovernorApi = typeof api;

/** Every call is 20 to 100 ms on its way, there and back. */
async function call(
  governor: Governor,
  lane: Lane,
  { url, limits }: Load,
  stopping: AbortSignal,
  tally: { calls: number; refused: number; waitedMs: number[] },
): Promise<void> {
  const askedAtMs = performance.now();
  await governor.acquire(lane, stopping);
  if (lane === 'webhook') tally.waitedMs.push(performance.now() - askedAtMs);
  await sleep(20 + Math.random() * 80);
  const response = await fetch(url, { signal: stopping });
  await response.arrayBuffer();
  if (response.status === 200) tally.calls += 1;
  if (response.status === 429) tally.refused += 1;
  await sleep(20 + Math.random() * 80);
  const number = (name: string) => (response.headers.has(name) ? Number(response.headers.get(name)) : null);
  const retryAfterS = number('retry-after');
  await governor.observe({
    status: response.status,
    retryAfterMs: retryAfterS === null ? null : retryAfterS * 1_000,
    limitPerMinute: limits.perMinute,
    remainingPerMinute: number('x-ratelimit-remaining-minute'),
    limitPerSecond: limits.perSecond,
    remainingPerSecond: number('x-ratelimit-remaining-second'),
  });
}

/** One counter for each second and each minute of the clock, as in textbooks. */
function fixedWindows(redis: Redis, { perSecond, perMinute }: Load['limits']): Governor {
  const windows = [
    { name: 'second', ms: 1_000, limit: perSecond },
    { name: 'minute', ms: 60_000, limit: perMinute },
  ];
  return {
    async acquire(_lane, signal) {
      for (const window of windows) {
        for (;;) {
          const now = Date.now();
          const start = now - (now % window.ms);
          if ((await redis.incr(`${window.name}:${start}`)) <= window.limit) break;
          await sleep(start + window.ms - now, undefined, signal && { signal });
        }
      }
      return UNLIMITED;
    },
    async observe() {},
  };
}

serve(api);
