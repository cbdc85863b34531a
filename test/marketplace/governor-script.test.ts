import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Lane, QuotaHeaders } from '../../src/marketplace/quota.ts';
import { useRedis } from '../support/use-redis.ts';
import { type Question, quotaScript, SILENT } from './governor-ask.ts';
import { quotaModel } from './governor-model.ts';

const LIMITS = { perSecond: 8, perMinute: 300 };
const T = 1_900_000_000_000;

const { redis } = await useRedis();
const script = quotaScript(redis, 'owner', LIMITS);
beforeEach(() => script.rest());

const by = (lane: Lane, caller = 'one', rest: Partial<Question> = {}): Question => ({ lane, caller, ...rest });
const granted = { granted: true, waitMs: 0 };
const wait = (waitMs: number) => ({ granted: false, waitMs });

async function grants(nowMs: number, question: Question, calls: number): Promise<number> {
  let count = 0;
  for (let call = 0; call < calls; call++) if ((await script.ask(nowMs, question)).granted) count += 1;
  return count;
}

describe('windows', () => {
  test('the quota grants eight calls at once, and the ninth a second after the first can have arrived', async () => {
    expect(await grants(T, by('webhook'), 8)).toBe(8);
    expect(await script.ask(T, by('webhook'))).toEqual(wait(1_520));
    expect(await script.ask(T + 1_519, by('webhook'))).toEqual(wait(1));
    expect(await script.ask(T + 1_520, by('webhook'))).toEqual(granted);
  });

  test('an answer shows that its call has arrived', async () => {
    expect(await grants(T, by('webhook'), 8)).toBe(8);
    await script.observe(T + 100);
    await script.observe(T + 150);
    expect(await script.ask(T + 1_119, by('webhook'))).toEqual(wait(1));
    expect(await grants(T + 1_170, by('webhook'), 8)).toBe(2);
  });

  test('a late answer does not show that another call has arrived', async () => {
    await script.ask(T, by('webhook'));
    expect(await grants(T + 2_000, by('webhook'), 8)).toBe(8);
    // This is the answer to the first call. The eight others may still be on their way.
    await script.observe(T + 2_000);
    expect(await script.ask(T + 2_000, by('webhook'))).toEqual(wait(1_520));
    await script.observe(T + 2_000);
    expect(await script.ask(T + 2_000, by('webhook'))).toEqual(wait(1_020));
  });

  test('the quota grants three hundred calls a minute, and the next a minute after the first', async () => {
    let [now, count] = [T, 0];
    while (count < 300 && now < T + 60_000) {
      count += await grants(now, by('operator'), 8);
      now += 1_520;
    }
    expect(count).toBe(300);
    expect(await script.ask(now, by('operator'))).toEqual(wait(T + 60_520 - now));
    expect(await script.ask(T + 60_519, by('operator'))).toEqual(wait(1));
    expect(await grants(T + 60_520, by('operator'), 9)).toBe(8);
    // None of the calls was answered. Even so, no more calls are kept than the minute and one second more allow.
    expect(await redis.llen('test:{owner}:open')).toBe(300);
    expect(await redis.zcard('test:{owner}:log')).toBe(308);
  });

  test('a clock that was set back by an hour closes the quota for no longer than its windows', async () => {
    expect(await grants(T, by('webhook'), 8)).toBe(8);
    await script.ask(T, by('operator', 'waiting'));
    const before = T - 3_600_000;
    expect(await script.ask(before, by('webhook'))).toEqual(wait(1_520));
    expect(await grants(before + 1_520, by('backfill'), 2)).toBe(2);
  });

  test.each([
    ['the one of an empty Redis', 1_520, () => script.clear()],
    ['that of a 429', 7_000, () => script.observe(T, { status: 429, retryAfterMs: 7_000 })],
  ])(
    'a clock that was set back prolongs no closure by more than its length, and restores none that is over: %s',
    async (_, ms, close) => {
      const before = T - 600_000;
      await close();
      expect(await script.ask(T, by('webhook'))).toEqual(wait(ms));
      expect(await script.ask(before, by('webhook'))).toEqual(wait(ms));
      expect(await script.ask(before + ms, by('webhook'))).toEqual(granted);
      expect(await script.ask(before - 60_000, by('webhook'))).toEqual(granted);
    },
  );
});

describe('lanes', () => {
  test('a call that can wait keeps the pace of the second while the minute has room', async () => {
    expect(await grants(T, by('backfill'), 3)).toBe(2);
    expect(await script.ask(T, by('backfill'))).toEqual(wait(125));
    expect(await script.ask(T + 125, by('backfill'))).toEqual(granted);
    expect(await grants(T + 125, by('webhook'), 9)).toBe(5);
  });

  test('a call that can wait keeps the pace of the minute when a sixth of it is left', async () => {
    let now = T;
    for (let call = 0; call < 250; call += 1) now += 190 * Number((await script.ask(now, by('operator'))).granted);
    now += 2_000;
    expect(await grants(now, by('poll'), 5)).toBe(4);
    expect(await script.ask(now, by('poll'))).toEqual(wait(200));
    expect(await script.ask(now + 200, by('poll'))).toEqual(granted);
  });

  test('after an idle minute a batch leaves at eight a second, and leaves enough places to earlier lanes', async () => {
    // Each call is answered at once, and asked for again as soon as it may be.
    const batch = async (fromMs: number, untilMs: number, question: Question): Promise<number> => {
      let count = 0;
      for (let now = fromMs; now < untilMs; ) {
        const { granted: isGranted, waitMs } = await script.ask(now, question);
        if (isGranted) await script.observe(now);
        count += Number(isGranted);
        now += waitMs;
      }
      return count;
    };
    const written = await batch(T, T + 32_000, by('poll'));
    expect(written).toBeGreaterThanOrEqual(245);
    await batch(T + 32_000, T + 40_000, by('poll'));
    // Until the first call leaves the minute, an urgent call every one or two seconds never waits.
    for (let now = T + 40_000; now < T + 60_000; now += 1_500) {
      expect(await script.ask(now, by('webhook', 'urgent'))).toEqual(granted);
      await script.observe(now);
      await batch(now, now + 1_500, by('poll'));
    }
  });

  test('a caller that was late catches up', async () => {
    await grants(T, by('backfill'), 2);
    expect(await grants(T + 240, by('backfill'), 2)).toBe(1);
    expect(await script.ask(T + 250, by('backfill'))).toEqual(granted);
  });

  test('no caller overtakes a waiting caller of an earlier lane', async () => {
    await grants(T, by('webhook'), 8);
    expect(await script.ask(T, by('webhook', 'first'))).toEqual(wait(1_520));
    expect(await script.ask(T + 1_000, by('webhook', 'first'))).toEqual(wait(520));
    expect(await script.ask(T + 1_520, by('poll', 'two'))).toEqual(wait(10));
    expect(await script.ask(T + 1_521, by('operator', 'three'))).toEqual(granted);
    expect(await script.ask(T + 1_522, by('webhook', 'first'))).toEqual(granted);
    expect(await script.ask(T + 1_530, by('poll', 'two'))).not.toEqual(wait(10));
  });

  test('no caller overtakes an earlier caller of the same lane', async () => {
    await grants(T, by('backfill'), 2);
    await script.ask(T + 1, by('backfill', 'first'));
    await script.ask(T + 2, by('backfill', 'second'));
    await script.ask(T + 100, by('backfill', 'first'));
    expect(await script.ask(T + 125, by('backfill', 'second'))).toEqual(wait(10));
    expect(await script.ask(T + 127, by('backfill', 'first'))).toEqual(granted);
  });

  test('a caller with others in line behind it keeps their place', async () => {
    expect(await script.ask(T, by('webhook', 'one', { behind: 1 }))).toEqual(granted);
    expect(await script.ask(T + 1, by('backfill', 'two'))).toEqual(wait(10));
    expect(await script.ask(T + 2, by('webhook', 'one'))).toEqual(granted);
    expect(await script.ask(T + 3, by('backfill', 'two'))).not.toEqual(wait(10));
  });

  test('a caller that does not come back blocks others only briefly', async () => {
    await grants(T, by('webhook'), 8);
    await script.ask(T + 1_000, by('webhook', 'gone'));
    expect(await script.ask(T + 1_520, by('poll'))).toEqual(wait(10));
    expect(await script.ask(T + 1_520 + 251, by('poll'))).toEqual(granted);
  });

  test('a caller that would have to wait too long is refused, and does not wait', async () => {
    await grants(T, by('webhook'), 8);
    expect(await script.ask(T + 1_000, by('webhook', 'first', { patienceMs: 519 }))).toEqual(wait(520));
    expect(await script.ask(T + 1_520, by('webhook', 'second'))).toEqual(granted);
  });

  test('a backfill leaves the last of the minute to the others', async () => {
    let now = T;
    for (; now < T + 60_500; now += 100) await script.ask(now, by('backfill', 'x', { patienceMs: 0 }));
    expect(await script.ask(now, by('backfill'))).toEqual(wait(T + 60_520 - now));
    expect(await grants(now, by('poll', 'p', { patienceMs: 0 }), 3)).toBe(1);
    expect(await grants(now, by('webhook', 'w', { patienceMs: 0 }), 3)).toBe(1);
    // A webhook leaves one place to each of the three lanes before it, and one more.
    expect(await grants(now, by('operator', 'o', { patienceMs: 0 }), 6)).toBe(4);
  });
});

describe('headers of answers', () => {
  test('a 429 closes the quota for every caller until Retry-After', async () => {
    await script.observe(T, { status: 429, retryAfterMs: 7_000 });
    expect(await script.ask(T, by('operator'))).toEqual(wait(7_000));
    // Another 429 with a shorter wait does not open the gate.
    await script.observe(T + 1_000, { status: 429, retryAfterMs: 1_000 });
    expect(await script.ask(T + 6_999, by('backfill', 'x', { patienceMs: 0 }))).toEqual(wait(1));
    expect(await script.ask(T + 7_000, by('operator'))).toEqual(granted);
  });

  test.each([
    { retryAfterMs: null, closedMs: 1_000 },
    { retryAfterMs: 0, closedMs: 1_000 },
    { retryAfterMs: 10 ** 12, closedMs: 3_600_000 },
  ])('quota headers keep the closure within bounds: %o', async ({ retryAfterMs, closedMs }) => {
    await script.observe(T, { status: 429, retryAfterMs });
    expect(await script.ask(T, by('operator'))).toEqual(wait(closedMs));
  });

  test('a lower limit of the server is applied, a higher one is not', async () => {
    await script.observe(T, { limitPerSecond: 3, limitPerMinute: 3_000 });
    expect(await grants(T, by('webhook'), 8)).toBe(3);
    await script.observe(T + 10_000, { limitPerSecond: 80, limitPerMinute: 4 });
    expect(await grants(T + 10_000, by('operator'), 8)).toBe(1);
  });

  test('a remainder below our own count means that others call too', async () => {
    await grants(T, by('operator'), 2);
    await script.observe(T + 100, { limitPerMinute: 300, remainingPerMinute: 3 });
    // 297 were counted, 2 of them ours: 3 are left.
    expect(await grants(T + 100, by('operator'), 8)).toBe(3);
  });

  test('a remainder below our own count in the second means that others call too', async () => {
    await grants(T, by('webhook'), 1);
    await script.observe(T + 100, { limitPerSecond: 8, remainingPerSecond: 2 });
    expect(await grants(T + 100, by('webhook'), 8)).toBe(2);
  });

  test('our own calls in flight do not count as use by others', async () => {
    await grants(T, by('webhook'), 8);
    await script.observe(T + 100, {
      limitPerSecond: 8,
      remainingPerSecond: 0,
      limitPerMinute: 300,
      remainingPerMinute: 292,
    });
    for (let call = 0; call < 7; call++) await script.observe(T + 100);
    expect(await grants(T + 1_120, by('webhook'), 9)).toBe(8);
  });

  test('our own burst of a second ago does not count as use by others, when its answers come late', async () => {
    await grants(T, by('webhook'), 8);
    await script.observe(T + 1_700, { limitPerSecond: 8, remainingPerSecond: 0 });
    expect(await grants(T + 1_700, by('webhook'), 9)).toBe(8);
  });

  test.each([1, 2, 8])(
    '%i calls of ours that left the minute since the server counted do not count as use by others',
    async (calls) => {
      await grants(T, by('webhook'), calls);
      for (let call = 0; call < calls; call++) await script.observe(T + 100);
      // The server answered before they left, and the answer is taken in after that.
      await script.observe(T + 60_600, { limitPerMinute: 300, remainingPerMinute: 300 - calls });
      const [, [, used, others]] = await script.usage(T + 60_600);
      expect([used, others]).toEqual([0, 0]);
      await script.observe(T + 60_600, { limitPerMinute: 300, remainingPerMinute: 299 - calls });
      const [, [, , another]] = await script.usage(T + 60_600);
      expect(another).toBe(1);
    },
  );

  test('use by others fades, and a lower figure counts once the higher one is a second old', async () => {
    await script.observe(T, { remainingPerMinute: 100 });
    await script.observe(T + 500, { remainingPerMinute: 299 });
    expect(await script.ask(T + 500, by('backfill'))).toEqual(granted);
    expect(await script.ask(T + 500, by('backfill'))).toEqual(granted);
    // 200 of 300, faded for half a second: 101 calls a minute are left.
    expect(await script.ask(T + 500, by('backfill', 'x', { patienceMs: 0 }))).toEqual(wait(125));
    await script.observe(T + 1_001, { remainingPerMinute: 298 });
    expect(await script.ask(T + 1_001, by('backfill'))).toEqual(granted);
  });
});

const lane = fc.constantFrom<Lane>('operator', 'webhook', 'poll', 'backfill');
const figure = (max: number) => fc.option(fc.nat(max));
const headers: fc.Arbitrary<QuotaHeaders> = fc.record({
  status: fc.constantFrom(200, 200, 200, 404, 429),
  retryAfterMs: figure(5_000),
  limitPerMinute: figure(40),
  remainingPerMinute: figure(40),
  limitPerSecond: figure(6),
  remainingPerSecond: figure(6),
});
const step = fc.record({
  afterMs: fc.oneof(fc.constant(0), fc.nat(60), fc.nat(1_500), fc.nat(20_000)),
  act: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        lane,
        caller: fc.constantFrom('a', 'b', 'c'),
        patienceMs: fc.constantFrom(0, 500, 60_000),
        behind: fc.constantFrom(0, 0, 1),
      }),
    },
    { weight: 2, arbitrary: fc.constant(SILENT) },
    { weight: 1, arbitrary: fc.constant('not sent') },
    { weight: 1, arbitrary: headers },
  ),
});

test('the quota script decides as the model does', async () => {
  const limits = { perSecond: 4, perMinute: 30 };
  const small = quotaScript(redis, 'model', limits);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      await small.clear();
      const model = quotaModel(limits);
      let [now, asked, latest] = [T, 0, ''];
      for (const { afterMs, act } of steps) {
        now += afterMs;
        if (act === 'not sent') {
          await small.unused(now, latest);
          model.unused(now, latest);
        } else if ('lane' in act) {
          const question = { ...act, call: `call ${asked++}` };
          const reply = await small.ask(now, question);
          expect(reply).toEqual(model.ask(now, question));
          if (reply.granted) latest = question.call;
        } else {
          await small.observe(now, act);
          model.observe(now, act);
        }
      }
    }),
    { numRuns: 60, seed: 20_301 },
  );
});
