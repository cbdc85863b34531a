import { expect, test, vi } from 'vitest';
import type * as Limits from '../../../src/domain/limits.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/domain/limits.ts', async (original) => ({
  ...(await original<typeof Limits>()),
  ORDER_LIMITS: [],
}));

test('the simulation detects that an invalid order is entered', async () => {
  const isMeant = (seed: number) => worldOf(seed).happenings?.includes('beyond its range') ?? false;
  expect(await untilBroken({ first: 958, maxSeeds: 1_200, isMeant, law: 'limits: ' })).not.toBe('');
});
