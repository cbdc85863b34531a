/** A process of its own that asks for calls at a fixed time and prints how many it got: socket, owner, milliseconds, calls. */
import { mock } from 'node:test';
import { Redis } from 'ioredis';
import { createGovernor } from '../../src/marketplace/governor.ts';

const [socket = '', owner = '', nowMs, calls] = process.argv.slice(2);
const redis = new Redis(socket, {});
await redis.ping();
// Timers stand still, so the patience with Redis never ends: a grant in a late answer would be used by nobody.
mock.timers.enable({ apis: ['setTimeout'] });
const governor = createGovernor({
  redis,
  owner,
  limits: { perSecond: 8, perMinute: 300 },
  mayForget: false,
  maxWaitMs: 0,
  clock: {
    nowMs: () => Number(nowMs),
    elapsedMs: () => 0,
    sleep: () => Promise.reject(new Error('nobody waits here')),
  },
});
const asked = await Promise.allSettled(Array.from({ length: Number(calls) }, () => governor.acquire('operator')));
process.stdout.write(String(asked.filter(({ status }) => status === 'fulfilled').length));
redis.disconnect();
