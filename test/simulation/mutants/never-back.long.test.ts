import { expect, test, vi } from 'vitest';
import { untilBroken } from '../until-broken.ts';
import { COMINGS_BACK, worldOf } from '../world.ts';

vi.mock('../../../src/flows/stock/coming-back.ts', () => ({ comingBack: async () => null }));

test('leaving in the archive what is sold again is caught', async () => {
  expect(
    await untilBroken({ first: 324, maxSeeds: 400, isMeant: (seed) => worldOf(seed).deeds === COMINGS_BACK }),
  ).toMatch(/I6: .* is sold and archived: true/);
});
