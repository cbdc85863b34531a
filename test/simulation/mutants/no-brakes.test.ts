import { expect, test, vi } from 'vitest';
import type * as Policy from '../../../src/reconcile/policy.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/reconcile/policy.ts', async (original) => {
  const real = await original<typeof Policy>();
  return {
    ...real,
    judge: (...[action, policy]: Parameters<typeof real.judge>) => real.judge(action, { ...policy, brake: null }),
  };
});

test('writing whatever was decided, however much it is, is caught', { timeout: 200_000 }, async () => {
  expect(await untilBroken(800, (seed) => worldOf(seed).brakes !== null)).toMatch(/I11/);
});
