import { expect, test, vi } from 'vitest';
import type * as Compared from '../../../src/flows/compared.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/flows/compared.ts', async (original) => {
  const real = await original<typeof Compared>();
  const startComparison: typeof real.startComparison = async (context) => !(await real.isCompared(context));
  return { ...real, startComparison };
});

test('the simulation detects that the settings of the last comparison are used while others are in force', async () => {
  expect(
    await untilBroken({ first: 276, maxSeeds: 400, isMeant: (seed) => worldOf(seed).settings, law: 'settings:' }),
  ).toMatch(/buyers can take/);
});
