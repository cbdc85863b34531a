import { expect, test } from 'vitest';
import { rawNumber } from '../../../src/http/json.ts';
import { wireDecimal } from '../../../src/marketplace/operations/wire.ts';

test.each([
  [5, true],
  ['12.5000', true],
  [rawNumber('-3.25'), true],
  [12.5, false],
  [Number.NaN, false],
  [rawNumber('1e3'), false],
  ['1e3', false],
  ['1,5', false],
  ['', false],
  [' 1', false],
  [null, false],
  [{}, false],
  ['1'.repeat(31), false],
  ['.5', false],
  ['5.', false],
])('%j as a decimal that is sent: %s', (value, fits) => {
  expect(wireDecimal.safeParse(value).success).toBe(fits);
});
