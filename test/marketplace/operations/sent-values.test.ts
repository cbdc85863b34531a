import { expect, test } from 'vitest';
import type { z } from 'zod';
import { decimalString, integers, numbers } from '../../../src/marketplace/operations/fields.ts';
import { sentDateTime, wireDateTime } from '../../../src/marketplace/operations/wire.ts';

const SENT: Readonly<Record<string, { schema: z.ZodType; right: readonly unknown[]; wrong: readonly unknown[] }>> = {
  'a date-time': {
    schema: sentDateTime,
    right: [
      '2026-01-31T12:00:00Z',
      '2024-02-29T23:59:60.123456Z',
      '2026-01-31T12:00',
      '2026-01-31T12:00:00+0530',
      '2026-01-31T12:00:00-07:00',
    ],
    wrong: [
      '2026-02-30T12:00:00Z',
      '2025-02-29T12:00:00Z',
      '2026-13-01T12:00:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T12:60:00Z',
      '2026-01-31T12:00:00+24:00',
      '2026-01-31',
      '',
    ],
  },
  integers: {
    schema: integers,
    right: ['7', '7,8', '-1', '-2147483648,2', [7, -1]],
    wrong: ['', 'x', '7,', '7,,8', '1.5', '7,x', '--1', ['x']],
  },
  numbers: {
    schema: numbers,
    right: ['7', '7,8', '1.5,-2', [7, '1.5']],
    wrong: ['', 'x', '7,x', '7,', '1e3', ['x']],
  },
};

test.each(Object.entries(SENT))('%s sends values of the kind that the documents name', (_, sent) => {
  for (const value of sent.right) expect(sent.schema.safeParse(value).success, JSON.stringify(value)).toBe(true);
  for (const value of sent.wrong) expect(sent.schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
});

test('a date-time that is read is stored as it is written, even one that does not exist', () => {
  expect(wireDateTime.safeParse('2026-02-30T12:00:00Z').success).toBe(true);
});

test.each([
  ['a date-time', sentDateTime, 'yesterday', 'expected a date-time'],
  [
    'a decimal string',
    decimalString(8, 2),
    'x',
    'expected a decimal string, up to 8 digits before and 2 after the point',
  ],
])('%s that is no valid date-time is reported once', (_, schema, value, told) => {
  expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([told]);
});
