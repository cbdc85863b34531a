import type { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createGovernor } from '../../src/marketplace/governor.ts';
import { makeReplica, type RedisNode } from '../support/redis-nodes.ts';
import { startRedisServer } from '../support/redis-servers.ts';
import { mostWithin } from './governor-simulation.ts';

const LIMITS = { perSecond: 8, perMinute: 300 };
const T = 1_900_000_000_000;
const BLIND_MS = 1_520;

/** Processes whose clients follow the primary, as they do behind sentinels, on a clock that moves only while somebody sleeps. */
function openProcesses(first: RedisNode, mayForget: boolean) {
  const clock = { now: T };
  const grants: number[] = [];
  let primary = first.client;
  const redis = {
    get status() {
      return primary.status;
    },
    eval: (...args: Parameters<Redis['eval']>) => primary.eval(...args),
  } as unknown as Redis;
  const open = () => {
    const governor = createGovernor({
      redis,
      owner: 'failover',
      limits: LIMITS,
      mayForget,
      maxWaitMs: 100_000,
      clock: {
        nowMs: () => clock.now,
        elapsedMs: () => clock.now - T,
        sleep: async (ms) => {
          clock.now += ms;
        },
      },
    });
    return async (calls: number) => {
      for (let call = 0; call < calls; call += 1) {
        await governor.acquire('operator');
        grants.push(clock.now);
      }
    };
  };
  const follow = (server: RedisNode) => {
    primary = server.client;
  };
  return { clock, grants, open, follow };
}

test('I7: a promoted replica that lacks the last calls grants nothing until they have left the second', async () => {
  const [primary, replica] = [await startRedisServer(), await startRedisServer()];
  await makeReplica(replica, primary);
  const { clock, grants, open, follow } = openProcesses(primary, true);
  const [one, other] = [open(), open()];
  await one(1);
  await other(1);
  clock.now += 5_000;
  expect(await primary.client.wait(1, 60_000)).toBe(1);
  await replica.client.replicaof('NO', 'ONE');
  await one(LIMITS.perSecond);
  const lostMs = clock.now;
  follow(replica);
  // The replica has every call that this process was granted, so the process tells it none.
  await other(1);
  expect(clock.now).toBe(lostMs + BLIND_MS);
  await one(LIMITS.perSecond);
  await other(LIMITS.perSecond);
  expect(mostWithin(grants, 1_000)).toBe(LIMITS.perSecond);
});

test.each([
  [true, BLIND_MS],
  [false, 0],
])('a restarted server that may have forgotten calls (%s) grants nothing for %d ms', async (mayForget, waitMs) => {
  const server = await startRedisServer();
  const { clock, open } = openProcesses(server, mayForget);
  const one = open();
  await one(1);
  clock.now += 5_000;
  const startedMs = clock.now;
  await server.kill();
  await server.revive();
  await one(1);
  expect(clock.now - startedMs).toBe(waitMs);
});
