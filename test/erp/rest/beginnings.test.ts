import { expect, it } from 'vitest';
import { createBeginnings } from '../../../src/erp/rest/beginnings.ts';

it('the start times of successive calls never fall, a clock that was set back is accepted, and none is in the future', () => {
  const beganAt = createBeginnings();
  expect(beganAt(1_000, 1_005, '2030-01-01T00:00:10Z')).toBe('2030-01-01T00:00:09.995000Z');
  // The next call took longer, in the same second.
  expect(beganAt(1_010, 1_050, '2030-01-01T00:00:10Z')).toBe('2030-01-01T00:00:09.995000Z');
  // A call that began before the first one must not get its later time.
  expect(beganAt(900, 1_060, '2030-01-01T00:00:10Z')).toBe('2030-01-01T00:00:09.840000Z');
  expect(beganAt(2_000, 2_010, '2030-01-01T00:00:11Z')).toBe('2030-01-01T00:00:10.990000Z');
  expect(beganAt(3_000, 3_010, '2029-12-31T23:00:00Z')).toBe('2029-12-31T22:59:59.990000Z');
});
