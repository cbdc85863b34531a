/**
 * The governor against a server with sliding windows: four processes saturate the quota with a backfill while interactive calls come at
 * random, and every call is 20 to 100 ms on its way. Beside it the same with plain fixed windows.
 * Run: node test/bench/governor.ts [seconds, 130]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createGovernor } from '../../src/marketplace/governor.ts';
import type { Governor, Lane } from '../../src/marketplace/quota.ts';
import { startRedis } from '../support/redis.ts';

const LIMITS = { perSecond: 8, perMinute: 300 };
const PROCESSES = 4;
const CALLS_AT_ONCE = 4;

type Kind = 'governor' | 'fixed windows';

interface Tally {
  calls: number;
  refused: number;
  interactiveMs: number[];
}

function slidingWindows() {
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
  return new Promise<{ port: number; close(): void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const close = () => {
        server.closeAllConnections();
        server.close();
      };
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}

/** One counter per calendar second and minute, as the textbook has it. */
function fixedWindows(redis: Redis): Governor {
  const windows = [
    { name: 'second', ms: 1_000, limit: LIMITS.perSecond },
    { name: 'minute', ms: 60_000, limit: LIMITS.perMinute },
  ];
  return {
    async acquire() {
      for (const window of windows) {
        for (;;) {
          const now = Date.now();
          const start = now - (now % window.ms);
          if ((await redis.incr(`${window.name}:${start}`)) <= window.limit) break;
          await sleep(start + window.ms - now);
        }
      }
    },
    async observe() {},
  };
}

async function call(governor: Governor, lane: Lane, port: number, tally: Tally): Promise<void> {
  const askedAt = performance.now();
  await governor.acquire(lane);
  if (lane === 'webhook') tally.interactiveMs.push(performance.now() - askedAt);
  await sleep(20 + Math.random() * 80);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  await response.arrayBuffer();
  await sleep(20 + Math.random() * 80);
  tally.calls += response.status === 200 ? 1 : 0;
  tally.refused += response.status === 429 ? 1 : 0;
  const number = (name: string) => (response.headers.has(name) ? Number(response.headers.get(name)) : null);
  const retryAfterS = number('retry-after');
  await governor.observe({
    status: response.status,
    retryAfterMs: retryAfterS === null ? null : retryAfterS * 1_000,
    limitPerMinute: LIMITS.perMinute,
    remainingPerMinute: number('x-ratelimit-remaining-minute'),
    limitPerSecond: LIMITS.perSecond,
    remainingPerSecond: number('x-ratelimit-remaining-second'),
  });
}

async function work(kind: Kind, path: string, port: number, seconds: number): Promise<void> {
  const redis = new Redis(path, {});
  const governor =
    kind === 'governor'
      ? createGovernor({ redis, owner: 'bench', limits: LIMITS, maxWaitMs: 120_000 })
      : fixedWindows(redis);
  const tally: Tally = { calls: 0, refused: 0, interactiveMs: [] };
  const endMs = performance.now() + seconds * 1_000;
  const backfill = Array.from({ length: CALLS_AT_ONCE }, async () => {
    while (performance.now() < endMs) await call(governor, 'backfill', port, tally);
  });
  // About one interactive call every two seconds over all processes.
  const interactive = async () => {
    const pending: Promise<void>[] = [];
    while (performance.now() < endMs) {
      await sleep(Math.random() * 4_000 * PROCESSES);
      if (performance.now() < endMs) pending.push(call(governor, 'webhook', port, tally));
    }
    await Promise.all(pending);
  };
  const report = () => process.send?.(tally);
  setTimeout(report, seconds * 1_000);
  await Promise.race([Promise.all([...backfill, interactive()]), sleep(seconds * 1_000 + 500)]);
  redis.disconnect();
  process.exit(0);
}

async function measure(kind: Kind, seconds: number): Promise<Tally> {
  const redis = await startRedis();
  const server = await slidingWindows();
  const children: ChildProcess[] = [];
  const tallies = Array.from({ length: PROCESSES }, () => {
    const child = fork(import.meta.filename, [kind, redis.path, String(server.port), String(seconds)]);
    children.push(child);
    return new Promise<Tally>((resolve, reject) => {
      child.once('message', (tally) => resolve(tally as Tally));
      child.once('exit', () => reject(new Error('a bench process ended early')));
    });
  });
  const all = await Promise.all(tallies);
  await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  server.close();
  await redis.stop();
  return {
    calls: all.reduce((sum, tally) => sum + tally.calls, 0),
    refused: all.reduce((sum, tally) => sum + tally.refused, 0),
    interactiveMs: all.flatMap((tally) => tally.interactiveMs).sort((a, b) => a - b),
  };
}

function print(kind: Kind, tally: Tally, seconds: number): void {
  const allowed = (LIMITS.perMinute * seconds) / 60;
  const at = (share: number) => Math.round(tally.interactiveMs[Math.floor(tally.interactiveMs.length * share)] ?? 0);
  process.stdout.write(
    `${kind.padEnd(14)} ${tally.calls} calls, ${((100 * tally.calls) / allowed).toFixed(1)}% of ${allowed}; ` +
      `refused with 429: ${tally.refused}; interactive calls: ${tally.interactiveMs.length}, waited ` +
      `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.9999)} ms\n`,
  );
}

const [kind, path, port, duration] = process.argv.slice(2);
if (path !== undefined) {
  await work(kind as Kind, path, Number(port), Number(duration));
} else {
  const seconds = Number(kind ?? 130);
  const kinds: Kind[] = ['governor', 'fixed windows'];
  const tallies = await Promise.all(kinds.map((each) => measure(each, seconds)));
  for (const [index, tally] of tallies.entries()) print(kinds[index] ?? 'governor', tally, seconds);
}
