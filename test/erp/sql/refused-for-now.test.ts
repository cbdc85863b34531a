import { expect, test } from 'vitest';
import { failureOf, type SqlCall } from '../../../src/erp/sql/failures.ts';

const ASKED: SqlCall = {
  erp: 'the database erp:5432/shop',
  purpose: 'create the order with reference 9f1c0a52',
  write: true,
  timeoutMs: 5_000,
  secrets: [],
  dialect: 'postgres',
  key: 'writes.order-create',
  committing: false,
  refusedForNow: [
    { code: 'P0001', contains: 'out of stock', waits_for: 'stock' },
    { code: 'P0002', waits_for: 'time' },
  ],
};
const raised = (code: string, message: string) => ({ severity: 'ERROR', code, message });

test.each([
  ['P0001', 'out of stock: SB-0001', 'stock'],
  ['P0002', 'the month is closed', 'time'],
] as const)('an error %s that the configuration names is a temporary refusal', (code, text, what) => {
  expect(failureOf(ASKED, raised(code, text))).toMatchObject({
    kind: 'refused-for-now',
    outcome: 'not-applied',
    waitsFor: { what, skus: null },
    message: expect.stringMatching(new RegExp(`answered "${text}" \\(${code}\\) .*9f1c0a52\\.$`)) as string,
  });
});

test('an error with another text, and one of a read, is no temporary refusal', () => {
  const other = failureOf(ASKED, raised('P0001', 'no such customer'));
  const ofRead = failureOf({ ...ASKED, write: false }, raised('P0001', 'out of stock'));
  for (const failure of [other, ofRead]) expect(failure).toMatchObject({ kind: 'refused', waitsFor: null });
});

test('on MySQL, the number of an error is its code', () => {
  const refusedForNow = [{ code: '1644', contains: 'stock', waits_for: 'stock' }] as const;
  const error = { errno: 1644, sqlState: '45000', code: 'ER_SIGNAL_EXCEPTION', message: 'out of stock' };
  expect(failureOf({ ...ASKED, dialect: 'mysql', refusedForNow }, error)).toMatchObject({
    kind: 'refused-for-now',
    waitsFor: { what: 'stock' },
  });
});
