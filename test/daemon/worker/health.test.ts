import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listsLateByUs } from '../../../src/daemon/worker/freshness.ts';
import { createHealth, withHealth } from '../../../src/daemon/worker/health.ts';
import { readinessOf } from '../../../src/daemon/worker/readiness.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import type * as Descriptors from '../../../src/machine/descriptors.ts';
import type * as Disk from '../../../src/machine/disk.ts';
import { createGovernor } from '../../../src/marketplace/governor.ts';
import { causeOfRead, setReadAlert } from '../../../src/shadow/alerts.ts';
import { FileGoneError, NewerVersionError, PageError, StoreError } from '../../../src/store/store-error.ts';
import { accountConfig } from '../../flows/account.ts';
import { useShelf } from '../../store/shelf.ts';
import { inTime } from '../../support/in-time.ts';

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
  const client = withHealth({ call }, 'main', 'marketplace', health);
  const comeBack = () => {
    isBack = true;
  };
  return { health, client, comeBack };
}

async function readiness(
  health: ReturnType<typeof createHealth>,
  works = true,
  set: () => Promise<unknown> = async () => 'OK',
  { store }: Pick<ReturnType<typeof shelf>, 'store'> = shelf(),
) {
  const accounts = new Map([['main', { account: 'main', store, config: accountConfig(), now: () => 0 }]]) as never;
  const well = { status: 'ready', set } as unknown as Redis;
  return readinessOf({
    redis: well,
    prefix: 'test',
    store,
    dir: '/',
    accounts,
    known: new Map(),
    config: { unusable: [] },
    health,
    works,
  });
}

async function reasonsOf(health: ReturnType<typeof createHealth>): Promise<readonly string[]> {
  await shelf().store.facts.set('main', 'listings-known', 'yes');
  return (await readiness(health)).reasons;
}

test('a quota whose Redis does not answer is a failure of Redis, not of the marketplace', async () => {
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

test('a Redis that answers and refuses writes is reported with the next step', async () => {
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
    'main: the ERP does not answer: is it up, and erp.url right? "stockbridge status" shows what it says',
  ]);
});

test('a call without a free file descriptor counts as our own failure until a minute after the last one', async () => {
  let nowMs = 0;
  const health = createHealth(() => nowMs);
  const lacking = new CallFailure('none left', {
    side: 'erp',
    kind: 'rate-limited',
    outcome: 'not-applied',
    isOurs: true,
  });
  for (let calls = 0; calls < 5; calls += 1) health.failed('main', lacking);
  expect([health.get('main', 'erp').state, health.away('main')]).toEqual(['ok', null]);
  expect(await reasonsOf(health)).toEqual([expect.stringMatching(/^This program has no file descriptors left: /)]);
  nowMs = 60_000;
  expect(await reasonsOf(health)).toEqual([]);
});

test.each([
  [new StoreError('database disk image is malformed'), 'the database, which fails in it'],
  [new PageError(new TypeError('planted')), 'a mistake of this program, which fails on every row of a page'],
])('a list whose read we stopped is reported by its name: %s', async (error, by) => {
  const account = { account: 'main', store: shelf().store };
  await setReadAlert(account, 'read:orders', causeOfRead(error));
  expect(await reasonsOf(createHealth(() => 0))).toEqual([
    expect.stringMatching(`^main: read:orders is stopped by ${by}: .*"stockbridge status" shows what it says$`),
  ]);
  await setReadAlert(account, 'read:orders', null);
  expect(await reasonsOf(createHealth(() => 0))).toEqual([]);
});

describe('slow answers', () => {
  const followed = () => {
    let nowMs = 1_000_000;
    const told: (number | null)[] = [];
    const health = createHealth(
      () => nowMs,
      () => {},
      () => {},
      (_account, _side, tookMs) => told.push(tookMs),
    );
    return { health, told, pass: (ms: number) => (nowMs += ms) };
  };

  test('slow answers make a side slow until none has come for two minutes', () => {
    const { health, told, pass } = followed();
    health.took('main', 'erp', 40);
    expect(health.isWell('main', 'erp')).toBe(true);
    health.took('main', 'erp', 7_000);
    health.took('main', 'erp', 40);
    health.took('main', 'erp', 9_000);
    expect([health.isWell('main', 'erp'), health.isWell('main', 'marketplace')]).toEqual([false, true]);
    pass(120_000);
    expect(health.isWell('main', 'erp')).toBe(true);
    health.took('main', 'erp', 40);
    expect(told).toEqual([null, 7_000, null]);
  });

  test('slow answers are no problem while a side has asked not to be called', () => {
    const { health, pass } = followed();
    const asked = {
      side: 'erp',
      kind: 'rate-limited',
      outcome: 'not-applied',
      status: 429,
      retryAfterMs: 60_000,
    } as const;
    health.failed('main', new CallFailure('not now', asked));
    expect(health.isWell('main', 'erp')).toBe(false);
    pass(60_000);
    expect(health.isWell('main', 'erp')).toBe(true);
  });
});

describe('a list that was read too long ago', () => {
  const steady = () => {
    let steadyMs = 0;
    const health = createHealth(() => 0, undefined, undefined, undefined, {
      steadyMs: () => steadyMs,
      stoodStillMs: () => 0,
    });
    const pass = (ms: number) => (steadyMs += ms);
    return { health, pass };
  };
  const look = async (health: ReturnType<typeof createHealth>) => {
    const { store } = shelf();
    return listsLateByUs({ account: 'main', store, config: accountConfig(), now: Date.now }, health);
  };
  const late = async ({ health, pass }: ReturnType<typeof steady>) => {
    await look(health);
    pass(3_600_000);
    return look(health);
  };
  const readOrders = async (nowMs: number) => {
    shelf().nowMs = nowMs;
    const instant = new Date(nowMs).toISOString();
    const window = { account: 'main', collection: 'orders', from: instant, to: instant, rows: 0, finding: null };
    await shelf().store.cursors.record({ ...window, cursor: instant });
  };

  test('a list that was read too long ago is late because of us while its side answers', async () => {
    const all = await late(steady());
    expect(all).toContain('orders');
    expect(all).toContain('erp-stock');
  });

  test('a list is late after the clock was set back as well, and is not late once it is read by that clock', async () => {
    const { health, pass } = steady();
    const nowMs = Date.parse('2026-06-01T12:00:00Z');
    await readOrders(nowMs);
    expect(await late({ health, pass })).toContain('orders');
    await readOrders(nowMs - 4 * 3_600_000);
    expect(await look(health)).not.toContain('orders');
  });

  test('a list is not late while reads go on with a clock that was set back', async () => {
    const { health } = steady();
    await readOrders(Date.now() + 4 * 3_600_000);
    expect(await reasonsOf(health)).toEqual([]);
  });

  test('a late list is not because of us while its side is slow or unreachable, or Redis is down', async () => {
    const slow = steady();
    slow.health.took('main', 'erp', 7_000);
    expect((await late(slow)).filter((list) => list.startsWith('erp-'))).toEqual([]);
    expect(await late(slow)).toContain('orders');
    const gone = steady();
    const lost = new CallFailure('gone', { side: 'redis', kind: 'unavailable', outcome: 'not-applied' });
    for (let calls = 0; calls < 3; calls += 1) gone.health.failed('main', lost);
    expect(await late(gone)).toEqual([]);
  });
});

describe('readiness names what hangs', () => {
  const never = () => new Promise<never>(() => {});
  const afterFourSeconds = async (asked: Promise<{ readonly reasons: readonly string[] }>) => {
    await inTime(() => expect(vi.getTimerCount()).toBe(1));
    vi.advanceTimersByTime(4_000);
    return (await asked).reasons;
  };
  beforeEach(async () => {
    await shelf().store.facts.set('main', 'listings-known', 'yes');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => vi.useRealTimers());

  test('readiness names Redis when it hangs', async () => {
    const asked = readiness(
      createHealth(() => 0),
      true,
      never,
    );
    const reason = 'Redis hangs: it has not answered within 4 s: check the server, or state.redis';
    expect(await afterFourSeconds(asked)).toEqual([reason]);
  });

  test('readiness names the database when it hangs', async () => {
    const { store } = shelf();
    const hanging = { store: { ...store, facts: { ...store.facts, set: never } } };
    const health = createHealth(() => 0);
    const asked = readiness(health, true, undefined, hanging);
    const mend = 'check its server, or the disk of the data folder';
    expect(await afterFourSeconds(asked)).toEqual([`the database hangs: it has not answered within 4 s: ${mend}`]);
  });
});

describe('a database that takes no write is named with what to do:', () => {
  const reasonsWith = async (error: Error) => {
    const { store } = shelf();
    await store.facts.set('main', 'listings-known', 'yes');
    const facts = { ...store.facts, set: () => Promise.reject(error) };
    const failing = { store: { ...store, facts } };
    return (
      await readiness(
        createHealth(() => 0),
        true,
        undefined,
        failing,
      )
    ).reasons;
  };

  test.each([
    new FileGoneError('/data/stockbridge.db', 'removed'),
    new NewerVersionError('/data/stockbridge.db', 'a backup'),
  ])('a database that refuses writes is reported with its next step: $name', async (error) => {
    expect(await reasonsWith(error)).toEqual([error.message]);
  });

  test('other failures to write are reported as a full disk, with the free space', async () => {
    const [reason] = await reasonsWith(new StoreError('disk I/O error'));
    expect(reason).toMatch(
      /^the database cannot be written \(disk I\/O error\): is the disk full\? The data folder has [\d.,]+ GB left$/,
    );
  });
});

const disk = vi.hoisted(() => ({ isUnknown: false }));
vi.mock('../../../src/machine/disk.ts', async (original) => {
  const real = await original<typeof Disk>();
  return { ...real, freeBytesOrNull: (dir: string) => (disk.isUnknown ? null : real.freeBytesOrNull(dir)) };
});

test('a full disk is reported without its free space where the system does not tell it', async () => {
  disk.isUnknown = true;
  onTestFinished(() => {
    disk.isUnknown = false;
  });
  const { store } = shelf();
  await store.facts.set('main', 'listings-known', 'yes');
  const facts = { ...store.facts, set: () => Promise.reject(new StoreError('disk I/O error')) };
  const health = createHealth(() => 0);
  const { reasons } = await readiness(health, true, undefined, { store: { ...store, facts } });
  expect(reasons).toEqual(['the database cannot be written (disk I/O error): is the disk full?']);
});

test.each([
  [4_999, 0],
  [5_000, 1],
])('a program that stood still for %i ms is reported from 5 s on', async (stoodStillMs, reported) => {
  const clock = { steadyMs: () => 0, stoodStillMs: () => stoodStillMs };
  const reasons = await reasonsOf(createHealth(() => 0, undefined, undefined, undefined, clock));
  expect(reasons.filter((one) => one.includes('stood still'))).toHaveLength(reported);
});

const counted = vi.hoisted(() => ({ now: undefined as { open: number; allowed: number } | null | undefined }));
vi.mock('../../../src/machine/descriptors.ts', async (original) => {
  const real = await original<typeof Descriptors>();
  return { ...real, descriptors: () => (counted.now === undefined ? real.descriptors() : counted.now) };
});

test.each([
  [{ open: 9, allowed: 10 }, 0],
  [{ open: 10, allowed: 10 }, 1],
  [null, 0],
])('file descriptors %j are reported once all are open', async (now, reported) => {
  counted.now = now;
  onTestFinished(() => {
    counted.now = undefined;
  });
  const reasons = await reasonsOf(createHealth(() => 0));
  expect(reasons.filter((one) => one.includes('no file descriptors left'))).toHaveLength(reported);
});

test('no side is called unreachable or slow for the time in which this program was suspended, and readiness reports that time', async () => {
  const clock = { steadyMs: () => 0, stoodStillMs: () => 9_000 };
  const health = createHealth(() => 0, undefined, undefined, undefined, clock);
  const lost = new CallFailure('no answer', { side: 'erp', kind: 'unavailable', outcome: 'unknown' });
  for (let calls = 0; calls < 5; calls += 1) health.failed('main', lost);
  health.took('main', 'marketplace', 12_000);
  expect([health.away('main'), health.isWell('main', 'marketplace')]).toEqual([null, true]);
  expect(await reasonsOf(health)).toEqual([
    expect.stringMatching(
      /^This program stood still for 9 s within the last minute \(\d+ of \d+ MB of its heap are used\)/,
    ),
  ]);
  health.took('main', 'marketplace', 15_000);
  expect(health.isWell('main', 'marketplace')).toBe(false);
});

test('a process that never calls a side does not know how it answers, and is ready for its own work', async () => {
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
