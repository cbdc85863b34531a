import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, afterAnswer, afterOverload, newPace, type Pace } from '../../src/domain/pace.ts';

const TIMEOUT_MS = 30_000;

/** One answer to a call that began under the present limit, while every place was taken. */
function answerTo(pace: Pace, tookMs: number, more: Partial<Answer> = {}): Answer {
  return {
    operation: 'create',
    tookMs,
    version: pace.version,
    isAlone: pace.limit === 1,
    isFull: true,
    ...more,
  };
}

/** Rounds of answers, each as long as the ERP needs under the limit of that moment. */
function rounds(pace: Pace, count: number, tookMs: (limit: number) => number, timeoutMs = TIMEOUT_MS): Pace {
  let next = pace;
  for (let round = 0; round < count; round += 1) {
    const { limit } = next;
    const began = next;
    for (let call = 0; call < limit; call += 1) next = afterAnswer(next, answerTo(began, tookMs(limit)), timeoutMs);
  }
  return next;
}

/** An ERP that works on so many calls at a time, each for 200 ms. */
const lanes = (count: number) => (limit: number) => 200 * Math.max(1, limit / count);

test('the call limit of an ERP begins at one, and doubles with each round of fast answers, up to the maximum', () => {
  const limits = [1, 2, 3, 4, 5, 6].map((count) => rounds(newPace('write', 20), count, () => 50).limit);
  expect(limits).toEqual([2, 4, 8, 16, 20, 20]);
  expect(rounds(newPace('write', 20), 7, () => 50).because).toBe('most');
});

test('the call limit of an ERP that makes one call after another is one or two', () => {
  let pace = newPace('write', 96);
  for (let round = 0; round < 100; round += 1) {
    pace = rounds(pace, 1, lanes(1));
    expect(pace.limit).toBeLessThanOrEqual(2);
    expect(pace.because).toBe(pace.limit === 2 ? 'fast' : 'slower');
  }
});

test.each([2, 4, 8, 16])('the call limit of an ERP that works on %i calls at a time is about as many', (count) => {
  const settled = rounds(newPace('write', 96), 300, lanes(count));
  expect(settled.limit).toBeGreaterThanOrEqual(count * 0.75);
  expect(settled.limit).toBeLessThanOrEqual(count * 2);
});

test('a call without an answer in time halves the limit, once for all calls that began under it', () => {
  const pace = rounds(newPace('write', 96), 5, () => 50);
  expect(pace.limit).toBe(32);
  const fallen = afterOverload(pace, pace.version);
  expect(fallen).toMatchObject({ limit: 16, because: 'overload' });
  expect(afterOverload(fallen, pace.version)).toBe(fallen);
  expect(afterOverload(fallen, fallen.version).limit).toBe(8);
});

test('after a fall the call limit rises by one, after ten fast rounds', () => {
  const risen = rounds(newPace('write', 96), 3, () => 50);
  const fallen = afterOverload(risen, risen.version);
  expect(fallen.limit).toBe(4);
  expect(rounds(fallen, 9, () => 50).limit).toBe(4);
  expect(rounds(fallen, 10, () => 50).limit).toBe(5);
});

test('an overload is over when calls are as fast as before, although they need no higher limit', () => {
  const risen = rounds(newPace('write', 96), 3, () => 50);
  let pace = afterOverload(risen, risen.version);
  const calls = (count: number) => {
    for (let call = 0; call < count; call += 1)
      pace = afterAnswer(pace, answerTo(pace, 50, { isFull: false }), TIMEOUT_MS);
  };
  calls(4);
  expect(pace).toMatchObject({ limit: 4, because: 'overload' });
  calls(4);
  expect(pace).toMatchObject({ limit: 4, because: 'fast' });
});

test('the limit of concurrent calls rises only while it is fully used', () => {
  let pace = newPace('write', 96);
  for (let call = 0; call < 50; call += 1) pace = afterAnswer(pace, answerTo(pace, 50, { isFull: false }), TIMEOUT_MS);
  expect(pace.limit).toBe(1);
});

test('the call limit does not rise where the last call could reach the time-out', () => {
  const pace = rounds(newPace('write', 96), 50, () => 600, 1_000);
  expect(pace).toMatchObject({ limit: 1, because: 'time-out' });
});

test('an ERP that has become slower for good is measured anew, and its call limit rises again', () => {
  const before = rounds(newPace('write', 96), 4, () => 200);
  expect(before.limit).toBe(16);
  const slower = rounds(before, 8, () => 900);
  expect(slower).toMatchObject({ limit: 1, because: 'slower' });
  expect(rounds(slower, 100, () => 900).limit).toBeGreaterThan(8);
});

test('four reads at once are always allowed, or the maximum where that is less', () => {
  const hanging = (pace: Pace) => afterOverload(pace, pace.version);
  expect(newPace('read', 96).limit).toBe(4);
  expect(hanging(hanging(rounds(newPace('read', 96), 1, () => 50)))).toMatchObject({ limit: 4, because: 'overload' });
  expect(hanging(newPace('read', 2)).limit).toBe(2);
});

const event = fc.oneof(
  fc.record({
    kind: fc.constant('answer' as const),
    tookMs: fc.integer({ min: 0, max: 60_000 }),
    operation: fc.constantFrom('create', 'find'),
    isAlone: fc.boolean(),
    isFull: fc.boolean(),
    age: fc.nat(3),
  }),
  fc.record({ kind: fc.constant('overload' as const), age: fc.nat(3) }),
);

test('a call limit that is minimum and maximum at once is reported as the maximum', () => {
  const pace = newPace('read', 4);
  expect(afterOverload(pace, pace.version)).toMatchObject({ limit: 4, because: 'most' });
});

test('the call limit always stays between one and the maximum, and only an answer under it changes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 96 }), fc.array(event, { maxLength: 300 }), (most, events) => {
      let pace = newPace('write', most);
      for (const one of events) {
        const version = pace.version - one.age;
        const next =
          one.kind === 'overload' ? afterOverload(pace, version) : afterAnswer(pace, { ...one, version }, TIMEOUT_MS);
        expect(next.limit).toBeGreaterThanOrEqual(1);
        expect(next.limit).toBeLessThanOrEqual(most);
        if (one.age > 0) expect(next.limit).toBe(pace.limit);
        if (one.kind === 'overload') expect(next.limit).toBeLessThanOrEqual(pace.limit);
        if (next.limit !== pace.limit) expect(next.version).toBe(pace.version + 1);
        pace = next;
      }
    }),
  );
});
