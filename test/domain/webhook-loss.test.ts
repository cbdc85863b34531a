import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  crossMatch,
  lossOf,
  NOTHING_WATCHED,
  pollAfterMs,
  RAREST_WATCHED_POLL_MS,
  type Seen,
  type WebhookWatch,
} from '../../src/domain/webhook-loss.ts';

const MINUTE = 60_000;
const QUOTA = { perSecond: 8, perMinute: 300 };

/** A day of reads, each at its minute. */
function play(
  ...reads: readonly (readonly [minute: number, changed: readonly string[], heard?: readonly string[]])[]
): WebhookWatch {
  return reads.reduce((watch, [minute, changed, heard = []]) => {
    const deliveries = heard.map((entity) => ({ entity, isNews: true, atMs: minute * MINUTE - 1_000 }));
    return crossMatch(watch, { changed, deliveries }, minute * MINUTE);
  }, NOTHING_WATCHED);
}

test.each([
  [
    'after its webhook',
    [
      [1, ['a'], ['a']],
      [5, []],
    ],
    0,
  ],
  [
    'after its webhook came with an earlier poll',
    [
      [1, [], ['a']],
      [2, ['a']],
      [6, []],
    ],
    0,
  ],
  [
    'a little before its webhook',
    [
      [1, ['a']],
      [2, [], ['a']],
      [6, []],
    ],
    0,
  ],
  [
    'long before its webhook',
    [
      [1, ['a']],
      [4, []],
      [5, [], ['a']],
    ],
    1,
  ],
  [
    'beside the webhook of another entity',
    [
      [1, ['a'], ['b']],
      [6, []],
    ],
    1,
  ],
  [
    'a second time, after a single webhook',
    [
      [1, ['a'], ['a']],
      [2, ['a']],
      [6, []],
    ],
    1,
  ],
] as const)('a change that a poll finds counts for webhooks as it should: %s', (_, reads, lost) => {
  expect(lossOf(play(...reads)).lost).toBe(lost);
});

test('an echo of our own write needs no webhook', () => {
  const echo: Seen = { changed: [], deliveries: [{ entity: 'a', isNews: false, atMs: 0 }] };
  const after = crossMatch(crossMatch(NOTHING_WATCHED, echo, 0), { changed: ['a'], deliveries: [] }, MINUTE);
  expect(lossOf(crossMatch(after, { changed: [], deliveries: [] }, 5 * MINUTE)).lost).toBe(1);
  expect(after.heardAtMs).toBe(0);
});

test('a change that a poll finds counts for a day', () => {
  const lost = play([1, ['a']], [4, []]);
  expect(lossOf(lost)).toEqual({ changes: 1, lost: 1, ratio: 1 });
  expect(lossOf(crossMatch(lost, { changed: [], deliveries: [] }, 26 * 60 * MINUTE))).toEqual({
    changes: 0,
    lost: 0,
    ratio: null,
  });
});

test('a webhook subscription that sent before and is silent over several changes is noticed within ten minutes', () => {
  const read = (minute: number): readonly [number, readonly string[]] => [
    minute,
    minute % 2 === 0 ? [`n-${minute}`] : [],
  ];
  let watch = play([1, ['a'], ['a']]);
  let noticed: number | null = null;
  for (let minute = 2; minute < 12 && noticed === null; minute += 1) {
    watch = crossMatch(watch, { changed: read(minute)[1], deliveries: [] }, minute * MINUTE);
    if (watch.silentSinceMs !== null) noticed = minute;
  }
  expect(noticed).toBeLessThanOrEqual(2 + 10);
  // The first webhook ends the silence.
  const again = crossMatch(
    watch,
    { changed: [], deliveries: [{ entity: null, isNews: false, atMs: 13 * MINUTE }] },
    13 * MINUTE,
  );
  expect(again.silentSinceMs).toBeNull();
});

test('a silent webhook subscription is noticed between rare polls too, however quick the second read was', () => {
  const SECOND = 1_000;
  const heard = { entity: 'a', isNews: true, atMs: 0 };
  let watch = crossMatch(NOTHING_WATCHED, { changed: ['a'], deliveries: [heard] }, SECOND);
  // The next read shows the changes that came right after that read.
  watch = crossMatch(watch, { changed: ['b', 'c'], deliveries: [] }, RAREST_WATCHED_POLL_MS + 1.5 * SECOND);
  let nowMs = RAREST_WATCHED_POLL_MS;
  while (watch.silentSinceMs === null && nowMs < 10 * MINUTE) {
    nowMs += 15 * SECOND;
    watch = crossMatch(watch, { changed: [], deliveries: [] }, nowMs);
  }
  expect(watch.silentSinceMs).toBeLessThan(10 * MINUTE);
});

test('a webhook subscription is silent once two changes in a row are lost, the first of them four minutes ago', () => {
  const lost = play([1, ['a'], ['a']], [2, ['b', 'c']]);
  const after = (minutes: number) => crossMatch(lost, { changed: [], deliveries: [] }, minutes * MINUTE);
  expect(after(5.99).silentSinceMs).toBeNull();
  expect(after(6).silentSinceMs).toBe(6 * MINUTE);
});

test.each([
  [
    'never sent anything',
    [
      [1, ['a', 'b', 'c', 'd', 'e', 'f']],
      [9, []],
    ],
  ],
  [
    'lost a single webhook',
    [
      [1, ['a'], ['a']],
      [2, ['b']],
      [9, []],
      [20, []],
    ],
  ],
  [
    'is quiet because nothing changes',
    [
      [1, ['a'], ['a']],
      [600, []],
    ],
  ],
  [
    'lost some, and sent one since',
    [
      [1, ['a'], ['a']],
      [2, ['b', 'c', 'd', 'e', 'f']],
      [3, [], ['x']],
      [9, []],
    ],
  ],
] as const)('a webhook subscription is not silent when it %s', (_, reads) => {
  expect(play(...reads).silentSinceMs).toBeNull();
});

test('in any story, the webhook watch is bounded, and counts no more lost changes than there were', () => {
  const seen = fc.record({
    changed: fc.array(fc.stringMatching(/^[a-f]{1,2}$/), { maxLength: 8 }),
    heard: fc.array(fc.record({ entity: fc.stringMatching(/^[a-f]{1,2}$/), isNews: fc.boolean() }), { maxLength: 8 }),
    afterMs: fc.integer({ min: 0, max: 2 * 60 * MINUTE }),
  });
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 60 }), (reads) => {
      let [watch, nowMs, changes] = [NOTHING_WATCHED, 0, 0];
      for (const { changed, heard, afterMs } of reads) {
        nowMs += afterMs;
        changes += changed.length;
        watch = crossMatch(watch, { changed, deliveries: heard.map((each) => ({ ...each, atMs: nowMs })) }, nowMs);
        expect(watch.hours.length).toBeLessThanOrEqual(24);
        expect(lossOf(watch).changes).toBeLessThanOrEqual(changes);
      }
    }),
    { numRuns: 200 },
  );
  const flood = crossMatch(
    NOTHING_WATCHED,
    { changed: Array.from({ length: 9_000 }, (_, n) => `${n}`), deliveries: [] },
    0,
  );
  expect(Object.keys(flood.unheard)).toHaveLength(500);
});

test('polls become more frequent by halves while webhooks are silent, as far as the quota allows', () => {
  const at = (minutes: number | null) => pollAfterMs(15_000, QUOTA, minutes === null ? null : minutes * MINUTE);
  expect([null, 0, 1, 2, 3, 60].map(at)).toEqual([15_000, 7_500, 3_750, 2_000, 2_000, 2_000]);
  // Polls that are quicker already stay as they are.
  expect(pollAfterMs(1_000, QUOTA, 0)).toBe(1_000);
});
