import { expect, test, vi } from 'vitest';
import type * as Decide from '../../../src/flows/order/in/decide.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/flows/order/in/decide.ts', async (original) => {
  const real = await original<typeof Decide>();
  const decideOrderIn: typeof real.decideOrderIn = (snapshot) => real.decideOrderIn({ ...snapshot, beside: [] });
  return { ...real, decideOrderIn };
});

test('the simulation detects that the first order of a reference is taken for the only one', async () => {
  const isMeant = (seed: number) => worldOf(seed).happenings?.includes('amended') ?? false;
  expect(await untilBroken({ first: 139, maxSeeds: 800, isMeant, law: 'I6: ' })).not.toBe('');
});
