import { expect, test } from 'vitest';
import { readQuotaHeaders } from '../../src/marketplace/quota.ts';

const NOW_MS = Date.parse('2024-05-01T10:00:00Z');
const nothing = {
  status: 200,
  retryAfterMs: null,
  limitPerMinute: null,
  remainingPerMinute: null,
  limitPerSecond: null,
  remainingPerSecond: null,
};

test.each([
  ['nothing said', {}, {}],
  [
    'both windows named',
    {
      'x-ratelimit-limit-minute': '300',
      'x-ratelimit-remaining-minute': '250',
      'x-ratelimit-limit-second': '8',
      'x-ratelimit-remaining-second': '0',
    },
    { limitPerMinute: 300, remainingPerMinute: 250, limitPerSecond: 8, remainingPerSecond: 0 },
  ],
  [
    'the bare limit of a minute',
    { 'ratelimit-limit': '300', 'ratelimit-remaining': '9' },
    { limitPerMinute: 300, remainingPerMinute: 9 },
  ],
  [
    'the bare limit of a second',
    { 'ratelimit-limit': '8', 'ratelimit-remaining': '3' },
    { limitPerSecond: 8, remainingPerSecond: 3 },
  ],
  ['a bare limit of no window', { 'ratelimit-limit': '77', 'ratelimit-remaining': '3' }, {}],
  [
    'a bare limit that equals a named one',
    { 'ratelimit-limit': '60', 'ratelimit-remaining': '5', 'x-ratelimit-limit-minute': '60' },
    { limitPerMinute: 60, remainingPerMinute: 5 },
  ],
  [
    'the named window before the bare one',
    { 'ratelimit-limit': '300', 'ratelimit-remaining': '5', 'x-ratelimit-remaining-minute': '7' },
    { limitPerMinute: 300, remainingPerMinute: 7 },
  ],
  [
    'a limit with its policy',
    { 'ratelimit-limit': '300, 300;w=60', 'ratelimit-remaining': '5' },
    { limitPerMinute: 300, remainingPerMinute: 5 },
  ],
  ['no numbers', { 'x-ratelimit-limit-minute': 'lots', 'x-ratelimit-remaining-minute': '-1' }, {}],
])('the quota headers: %s', (_, headers, expected) => {
  expect(readQuotaHeaders(200, headers, NOW_MS)).toEqual({ ...nothing, ...expected });
});

test.each([
  ['5', 5000],
  ['1.25', 1250],
  ['0', 0],
  ['99999999', 3_600_000],
  ['-5', null],
  ['soon', null],
  ['', null],
  ['Wed, 01 May 2024 10:00:30 GMT', 30_000],
  ['Wed, 01 May 2024 09:00:00 GMT', 0],
  ['Fri, 01 May 2099 10:00:00 GMT', 3_600_000],
])('the header Retry-After: %s', (header, retryAfterMs) => {
  expect(readQuotaHeaders(429, { 'retry-after': header }, NOW_MS)).toMatchObject({ status: 429, retryAfterMs });
});

test("a date in a quota header is measured on the server's clock where it states it", () => {
  const headers = { 'retry-after': 'Wed, 01 May 2024 12:00:30 GMT', date: 'Wed, 01 May 2024 12:00:00 GMT' };
  expect(readQuotaHeaders(503, headers, NOW_MS).retryAfterMs).toBe(30_000);
});

test('a 429 without Retry-After waits for the reset, another answer does not', () => {
  const headers = { 'ratelimit-reset': '12' };
  expect(readQuotaHeaders(429, headers, NOW_MS).retryAfterMs).toBe(12_000);
  expect(readQuotaHeaders(200, headers, NOW_MS).retryAfterMs).toBeNull();
});
