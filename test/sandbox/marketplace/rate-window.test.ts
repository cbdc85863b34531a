import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FULL_ACCESS } from '../../../src/sandbox/marketplace/auth.ts';
import { RateWindow } from '../../../src/sandbox/marketplace/rate-window.ts';
import { handClock, start } from './api.ts';

const RATE = { perSecond: 8, perMinute: 300, countRejected: false, headline: 'tightest' } as const;

async function limited(rate: Partial<typeof RATE> | { countRejected: boolean } | { headline: 'minute' } = {}) {
  const clock = handClock();
  const market = await start({
    now: clock.now,
    settings: { rate: { ...RATE, ...rate } },
    keys: [FULL_ACCESS, { ...FULL_ACCESS, secret: 'second' }, { ...FULL_ACCESS, secret: 'other', owner: 'another' }],
  });
  const call = (key = market.key) => market.call('GET', '/products/', undefined, { authorization: `App ${key}` });
  const statuses = async (count: number, key?: string) => {
    const found: number[] = [];
    for (let left = count; left > 0; left -= 1) found.push((await call(key)).status);
    return found;
  };
  return { market, clock, call, statuses };
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

test('the rate limit allows eight calls in any second, also across the turn of a second', async () => {
  const { clock, statuses } = await limited();
  clock.advanceMs(900);
  expect(await statuses(8)).toEqual(times(8, 200));
  clock.advanceMs(999);
  expect(await statuses(1)).toEqual([429]);
  clock.advanceMs(1);
  expect(await statuses(9)).toEqual([...times(8, 200), 429]);
});

test('the rate limit allows 300 calls in any minute', async () => {
  const { clock, statuses } = await limited();
  for (let second = 0; second < 37; second += 1) {
    expect(await statuses(8)).toEqual(times(8, 200));
    clock.advanceMs(1000);
  }
  expect(await statuses(5)).toEqual([...times(4, 200), 429]);
  clock.advanceMs(22_999);
  expect(await statuses(1)).toEqual([429]);
  clock.advanceMs(1);
  expect(await statuses(9)).toEqual([...times(8, 200), 429]);
});

test('for any arrivals, no second has more than 8 and no minute more than 300 allowed calls', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 350, maxLength: 700 }), (gaps) => {
      const window = new RateWindow();
      const taken: number[] = [];
      let at = 0;
      for (const gap of gaps) {
        at += gap;
        const room = (span: number, limit: number) => taken.filter((call) => call > at - span).length < limit;
        const expected = room(1_000_000, 8) && room(60_000_000, 300);
        expect(window.take(at, RATE).allowed).toBe(expected);
        if (expected) taken.push(at);
      }
    }),
    { numRuns: 30 },
  );
});

test('keys of one owner share the rate limit, other owners and callers without a key do not', async () => {
  const { statuses, market } = await limited();
  expect(await statuses(5)).toEqual(times(5, 200));
  expect(await statuses(4, 'second')).toEqual([...times(3, 200), 429]);
  expect(await statuses(1, 'other')).toEqual([200]);
  expect(await statuses(9, 'wrong')).toEqual(times(9, 401));
  expect(market.peaks()).toMatchObject({ brand: { second: 8, minute: 8 }, another: { second: 1, minute: 1 } });
});

test('another program of the owner uses the same calls', async () => {
  const { clock, statuses, market } = await limited();
  market.useQuota('brand', 6);
  expect(await statuses(3)).toEqual([200, 200, 429]);
  clock.advanceMs(60_000);
  market.faults.set({ kind: 'foreign-calls', perSecond: 5 });
  expect(await statuses(1)).toEqual([200]);
  clock.advanceMs(1000);
  expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
});

describe('headers of answers (spec 1, Rate limits)', () => {
  const shown = (headers: Headers) =>
    [
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'X-RateLimit-Limit-minute',
      'X-RateLimit-Remaining-minute',
      'X-RateLimit-Limit-second',
      'X-RateLimit-Remaining-second',
      'Retry-After',
    ].map((name) => headers.get(name));

  test('every answer has both windows; the tightest one is the headline', async () => {
    const { call, clock } = await limited();
    expect(shown((await call()).headers)).toEqual(['8', '7', '1', '300', '299', '8', '7', null]);
    clock.advanceMs(400);
    expect(shown((await call()).headers)).toEqual(['8', '6', '1', '300', '298', '8', '6', null]);
    const refused = await call('wrong');
    expect(refused.status).toBe(401);
    expect(shown(refused.headers)).toEqual(['8', '7', '1', '300', '299', '8', '7', null]);
  });

  test('the minute may be the headline of the rate limit headers', async () => {
    const { call } = await limited({ headline: 'minute' });
    expect(shown((await call()).headers).slice(0, 3)).toEqual(['300', '299', '60']);
  });

  test('a 429 says when to come back, rounded up, and coming back then works', async () => {
    const { call, clock, statuses } = await limited();
    await statuses(4);
    clock.advanceMs(300);
    await statuses(4);
    clock.advanceMs(300);
    const refused = await call();
    expect([refused.status, ...shown(refused.headers)]).toEqual([429, '8', '0', '1', '300', '292', '8', '0', '1']);
    clock.advanceMs(Number(refused.headers.get('Retry-After')) * 1000);
    expect(await statuses(1)).toEqual([200]);
  });

  test('a full minute has to be waited for', async () => {
    const { call, clock, market } = await limited();
    for (let second = 0; second < 40; second += 1) {
      market.useQuota('brand', 8);
      clock.advanceMs(1000);
    }
    const refused = await call();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '20']);
  });
});

test('a refused call counts only when the setting says so', async () => {
  for (const [countRejected, after] of [
    [false, 200],
    [true, 429],
  ] as const) {
    const { clock, statuses } = await limited({ countRejected });
    await statuses(8);
    clock.advanceMs(600);
    await statuses(8);
    clock.advanceMs(500);
    expect((await statuses(1))[0]).toBe(after);
  }
});

test('without rate limits there is no header and no refusal', async () => {
  const market = await start();
  for (let left = 20; left > 0; left -= 1) {
    const answer = await market.call('GET', '/products/');
    expect([answer.status, answer.headers.get('RateLimit-Limit')]).toEqual([200, null]);
  }
});
