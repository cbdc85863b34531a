import { Redis } from 'ioredis';
import { afterAll, expect, test } from 'vitest';
import { createHealth, watched } from '../../../src/daemon/worker/health.ts';
import { readinessOf } from '../../../src/daemon/worker/readiness.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import { createGovernor } from '../../../src/marketplace/governor.ts';
import { accountConfig } from '../../flows/account.ts';
import { useShelf } from '../../store/shelf.ts';

const shelf = useShelf();
const redis = new Redis({ lazyConnect: true, retryStrategy: () => null });
afterAll(() => redis.disconnect());

/** A marketplace behind a quota whose Redis is gone. */
function withoutRedis() {
  redis.disconnect();
  const limits = { perSecond: 8, perMinute: 300 };
  const governor = createGovernor({ redis, owner: 'gone', limits, mayForget: false, maxWaitMs: 0 });
  const health = createHealth(() => 0);
  let isBack = false;
  const call = async () => (isBack ? undefined : governor.acquire('poll'));
  const client = watched({ call }, 'main', 'marketplace', health);
  const comeBack = () => {
    isBack = true;
  };
  return { health, client, comeBack };
}

async function readiness(health: ReturnType<typeof createHealth>, works = true, set = async () => 'OK') {
  const { store } = shelf();
  const accounts = new Map([['main', { store, config: accountConfig() }]]) as never;
  const well = { status: 'ready', set } as unknown as Redis;
  return readinessOf({ redis: well, prefix: 'test', store, accounts, health, works });
}

async function reasonsOf(health: ReturnType<typeof createHealth>): Promise<readonly string[]> {
  await shelf().store.facts.set('main', 'listings-known', 'yes');
  return (await readiness(health)).reasons;
}

test('a quota whose Redis does not answer is the fault of Redis, not of the marketplace', async () => {
  const { health, client, comeBack } = withoutRedis();
  for (let calls = 0; calls < 3; calls += 1) await client.call().catch(() => {});
  expect(health.get('main', 'marketplace').state).toBe('ok');
  expect(health.get('main', 'redis').state).toBe('down');
  expect(health.away('main')).not.toBeNull();
  expect(await reasonsOf(health)).toEqual([expect.stringMatching(/^main: Redis does not answer: check the server/)]);
  comeBack();
  await client.call();
  expect(health.away('main')).toBeNull();
  expect(await reasonsOf(health)).toEqual([]);
});

test('a Redis that answers and takes no writes is reported with the next step', async () => {
  const full = () => Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'."));
  await shelf().store.facts.set('main', 'listings-known', 'yes');
  const { reasons } = await readiness(
    createHealth(() => 0),
    true,
    full,
  );
  expect(reasons).toEqual([expect.stringMatching(/^Redis cannot be written \(OOM .*: raise its maxmemory/)]);
});

test('a side that does not answer is reported by its name', async () => {
  const health = createHealth(() => 0);
  // Anybody may ask for readiness, so neither the words nor the address of the side are repeated.
  const down = new CallFailure('http://10.1.2.3 says: Ann of Canary Row', {
    side: 'erp',
    kind: 'unavailable',
    outcome: 'unknown',
  });
  for (let calls = 0; calls < 3; calls += 1) health.failed('main', down);
  expect(await reasonsOf(health)).toEqual([
    'main: the ERP does not answer: is it up, and erp.url right?; "stockbridge status" shows what it says',
  ]);
});

test('a process that never calls a side says that it does not know how they answer, and is ready for its own work', async () => {
  expect(await readiness(createHealth(() => 0))).toMatchObject({ ready: false, unknown: [] });
  expect(
    await readiness(
      createHealth(() => 0),
      false,
    ),
  ).toEqual({
    ready: true,
    reasons: [],
    unknown: [
      'main: whether the marketplace and the ERP answer and take the credentials: only the process with the role work knows',
    ],
  });
});

test('a side that asks for a long wait is reported until it answers; a usual wait is not reported', () => {
  const told: (number | null)[] = [];
  const health = createHealth(
    () => 0,
    () => {},
    (_account, _side, waitMs) => void told.push(waitMs),
  );
  const ordered = (status: number | null, retryAfterMs: number) => {
    const facts = { side: 'erp', kind: 'rate-limited', outcome: 'not-applied', status, retryAfterMs } as const;
    health.failed('main', new CallFailure('too many calls', facts));
  };
  health.answered('main', 'erp');
  told.length = 0;
  ordered(429, 60_000);
  // Our own quota orders this wait, not the other side.
  ordered(null, 3_600_000);
  expect(told).toEqual([]);
  ordered(429, 3_600_000);
  ordered(503, 300_000);
  health.answered('main', 'erp');
  health.answered('main', 'erp');
  expect(told).toEqual([3_600_000, 300_000, null]);
});
