import { expect, test, vi } from 'vitest';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/reconcile/stock/lost-write.ts', () => ({ lostWriteOf: async () => null }));

test('forgetting a stock write that may still be applied is caught', { timeout: 200_000 }, async () => {
  expect(await untilBroken(1_200)).toMatch(/I4|I6/);
});
