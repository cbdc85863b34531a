import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Redis } from 'ioredis';
import { createGovernor } from '../../src/marketplace/governor.ts';
import { startRedis } from '../support/redis.ts';
import { type Figure, grouped } from './support/figure.ts';
import type { GovernorApi, Load, Tally } from './support/governor-process.ts';
import { median, share } from './support/rig.ts';
import { start } from './support/rpc.ts';

const LIMITS = { perSecond: 8, perMinute: 300 };
const PROCESSES = 4;
const SECONDS = 130;
const ALLOWED = (LIMITS.perMinute * SECONDS) / 60;
const LEAST_SHARE = 0.97;
const MAX_WAIT_MS = 300;
/** About one call every two seconds over all processes. */
const INTERACTIVE_EVERY_MS = 2_000 * PROCESSES;

/**
 * The quota against a server with sliding windows: four processes use it up with a backfill while interactive calls come at
 * random, and every call is 20 to 100 ms on its way. Plain fixed windows are measured beside it, at the same time.
 */
export async function governor(): Promise<Figure[]> {
  const [ours, plain] = await Promise.all([measure('governor'), measure('fixed windows')]);
  return [
    {
      what: `calls of ${PROCESSES} processes in ${SECONDS} seconds`,
      value: `${ours.calls}, ${((100 * ours.calls) / ALLOWED).toFixed(1)} percent`,
      comparedTo: `the ${ALLOWED} that are allowed, target 97 percent at least; ${plain.calls} with fixed windows`,
      met: ours.calls >= LEAST_SHARE * ALLOWED,
    },
    {
      what: 'calls answered with 429',
      value: String(ours.refused),
      comparedTo: `target 0; ${plain.refused} with fixed windows`,
      met: ours.refused === 0,
    },
    {
      what: `how long ${ours.waitedMs.length} interactive calls waited for their turn meanwhile`,
      value: `50th percentile ${grouped(median(ours.waitedMs))} ms, 95th ${grouped(share(ours.waitedMs, 0.95))} ms`,
      comparedTo: `target ${MAX_WAIT_MS} ms at the 95th; ${grouped(share(plain.waitedMs, 0.95))} ms with fixed windows`,
      met: share(ours.waitedMs, 0.95) <= MAX_WAIT_MS,
    },
  ];
}

async function measure(kind: Load['kind']): Promise<Tally> {
  const redis = await startRedis();
  const server = await slidingWindows();
  const file = new URL('support/governor-process.ts', import.meta.url);
  const processes = Array.from({ length: PROCESSES }, () => start<GovernorApi>(file));
  if (kind === 'governor') await settle(redis.connect());
  const load = { kind, redisSocket: redis.path, url: server.url, seconds: SECONDS, limits: LIMITS };
  const tallies = await Promise.all(
    processes.map(({ api }) => api.use({ ...load, interactiveEveryMs: INTERACTIVE_EVERY_MS })),
  );
  for (const { end } of processes) await end();
  server.close();
  await redis.stop();
  return {
    calls: tallies.reduce((sum, { calls }) => sum + calls, 0),
    refused: tallies.reduce((sum, { refused }) => sum + refused, 0),
    waitedMs: tallies.flatMap(({ waitedMs }) => waitedMs),
  };
}

/** An empty Redis grants nothing for the first second and a half. The measurement begins after that. */
async function settle(redis: Redis): Promise<void> {
  await createGovernor({ redis, owner: 'bench', mayForget: false, limits: LIMITS, maxWaitMs: 5_000 }).acquire(
    'operator',
  );
}

function slidingWindows(): Promise<{ url: string; close(): void }> {
  const arrivals: number[] = [];
  const server = createServer((_request, response) => {
    const now = performance.now();
    while ((arrivals[0] ?? now) <= now - 60_000) arrivals.shift();
    const second = arrivals.filter((at) => at > now - 1_000).length;
    const full = second >= LIMITS.perSecond || arrivals.length >= LIMITS.perMinute;
    if (!full) arrivals.push(now);
    response.setHeader('x-ratelimit-remaining-second', LIMITS.perSecond - second - (full ? 0 : 1));
    response.setHeader('x-ratelimit-remaining-minute', LIMITS.perMinute - arrivals.length);
    if (full) response.setHeader('retry-after', 1);
    response.writeHead(full ? 429 : 200).end();
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
    });
  });
}
