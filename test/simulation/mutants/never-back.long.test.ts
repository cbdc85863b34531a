import { expect, test, vi } from 'vitest';
import { untilBroken } from '../until-broken.ts';
import { COMINGS_BACK, worldOf } from '../world.ts';

vi.mock('../../../src/flows/stock/coming-back.ts', () => ({ comingBack: async () => null }));

test('the simulation detects that a product sold again stays archived', async () => {
  expect(
    await untilBroken({ first: 324, maxSeeds: 400, isMeant: (seed) => worldOf(seed).deeds === COMINGS_BACK }),
  ).toMatch(/I6: .* is sold and archived: true/);
});
