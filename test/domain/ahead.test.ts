import { expect, test } from 'vitest';
import { isAhead, UNDATED } from '../../src/domain/ahead.ts';
import { isOutdated } from '../../src/domain/shadow/row.ts';

const SERVED = '2026-11-22T09:00:00Z';

test.each([
  ['9999-12-31T23:59:59Z', true],
  ['2026-11-22T09:01:01Z', true],
  ['2026-11-22T09:01:00Z', false],
  ['2026-11-22T11:00:00+02:00', false],
  ['2026-11-22T11:01:01+02:00', true],
  // A server that names no zone may be in any zone.
  ['2026-11-22T23:00:59', false],
  ['2026-11-22T23:01:01', true],
  ['no time', false],
])('a row of %s is ahead of an answer of nine o’clock: %s', (stamp, ahead) => {
  expect(isAhead(stamp, SERVED)).toBe(ahead);
});

test('a row time without a zone is in UTC where the side names zones', () => {
  expect(isAhead('2026-11-22T23:00:59', SERVED, true)).toBe(true);
  expect(isAhead('2026-11-22T09:01:00', SERVED, true)).toBe(false);
});

test('a row without a time is never overtaken, and overtakes no other', () => {
  expect(isOutdated({ modified: SERVED }, { modified: UNDATED })).toBe(false);
  expect(isOutdated({ modified: UNDATED }, { modified: SERVED })).toBe(false);
});
