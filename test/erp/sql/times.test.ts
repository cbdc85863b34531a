import { expect, it } from 'vitest';
import { instantOf, leastWallFrom, offsetAt, wallAt } from '../../../src/erp/sql/times.ts';

it.each([
  ['2030-01-31 09:30:00.25+01', 'UTC', '2030-01-31T08:30:00.25Z'],
  ['2030-01-31 09:30:00.123456', 'Europe/Berlin', '2030-01-31T08:30:00.123456Z'],
  ['2030-01-31 14:00:00+05:30', 'UTC', '2030-01-31T08:30:00Z'],
  ['2030-01-31 08:30:00', 'UTC', '2030-01-31T08:30:00Z'],
  // The clocks show this hour twice: it counts as the second.
  ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T01:30:00Z'],
  ['infinity', 'UTC', null],
  ['2030-02-31 08:30:00', 'Europe/Berlin', null],
])('the local time %s in %s is %s', (text, zone, instant) => {
  expect(instantOf(text, zone)).toBe(instant);
});

it('a row written after an instant is found by the earliest possible local time', () => {
  expect(leastWallFrom('2026-06-25T00:45:00.123456Z', 'Europe/Berlin')).toBe('2026-06-25 02:45:00.123456');
  // A quarter of an hour before the clocks go back from 03:00 to 02:00.
  expect(leastWallFrom('2026-10-25T00:45:00Z', 'Europe/Berlin')).toBe('2026-10-25 02:00:00.000000');
  expect(leastWallFrom('2026-10-25T01:15:00Z', 'Europe/Berlin')).toBe('2026-10-25 02:15:00.000000');
  expect([wallAt('2026-06-25T00:45:00Z', 'Europe/Berlin'), offsetAt('2026-06-25T00:45:00Z', 'Europe/Berlin')]).toEqual([
    '2026-06-25 02:45:00.000000',
    '+02:00',
  ]);
});
