import { expect, it } from 'vitest';
import { instantsOf } from '../../../src/erp/rows/times.ts';

it.each([
  ['Europe/Berlin', '2026-10-25T01:59:59', '2026-10-24T23:59:59Z', '2026-10-24T23:59:59Z'],
  ['Europe/Berlin', '2026-10-25T02:00', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T02:59:59', '2026-10-25T00:59:59Z', '2026-10-25T01:59:59Z'],
  ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00Z', '2026-10-25T02:00:00Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'],
  ['UTC', '2026-10-25T02:30', '2026-10-25T02:30:00Z', '2026-10-25T02:30:00Z'],
])('local time in %s: %s is %s and %s', (zone, local, first, second) => {
  expect(instantsOf(Temporal.PlainDateTime.from(local), zone)).toEqual({ first, second });
});
