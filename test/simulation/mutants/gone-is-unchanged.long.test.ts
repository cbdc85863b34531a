import { expect, test, vi } from 'vitest';
import type * as Missing from '../../../src/shadow/missing-orders.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/shadow/missing-orders.ts', async (original) => {
  const real = await original<typeof Missing>();
  const blind: typeof real.beginMissing = async (context) => ({
    ...(await real.beginMissing(context)),
    settle: async () => {},
  });
  return { ...real, beginMissing: blind };
});

test('taking an order that is gone from the marketplace for one that is unchanged is caught', async () => {
  expect(
    await untilBroken({ first: 77, maxSeeds: 800, isMeant: (seed) => worldOf(seed).vanishing, law: 'I6' }),
  ).toMatch(/which is gone|buyers can take/);
});
