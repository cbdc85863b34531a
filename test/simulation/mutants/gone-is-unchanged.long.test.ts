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

test('the simulation detects that a deleted marketplace order is taken for unchanged', async () => {
  expect(
    await untilBroken({ first: 77, maxSeeds: 800, isMeant: (seed) => worldOf(seed).vanishing, law: 'I6' }),
  ).toMatch(/which is gone|buyers can take/);
});
