import { expect, test, vi } from 'vitest';
import type * as Sides from '../../../src/core/sides.ts';
import { UNLIMITED } from '../../../src/marketplace/quota.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/core/sides.ts', async (original) => ({
  ...(await original<typeof Sides>()),
  openGovernor: () => ({
    acquire: async () => UNLIMITED,
    begin: async () => {},
    observe: async () => {},
    usage: async () => null,
  }),
}));

test('the simulation detects calls without the governor of the quota by I7', async () => {
  expect(
    await untilBroken({ first: 17, maxSeeds: 400, isMeant: (seed) => worldOf(seed).quota !== null, law: /I7/ }),
  ).not.toBe('');
});
