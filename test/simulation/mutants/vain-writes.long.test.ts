import { expect, test, vi } from 'vitest';
import type * as Repeats from '../../../src/flows/engine/repeats.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/flows/engine/repeats.ts', async (original) => {
  const real = await original<typeof Repeats>();
  const withoutRepeats: typeof real.withoutRepeats = (decision) => decision;
  return { ...real, withoutRepeats };
});

test('the simulation detects a repeated write without effect', async () => {
  const isMeant = (seed: number) => worldOf(seed).ignores !== null;
  expect(await untilBroken({ first: 3, maxSeeds: 100, isMeant, law: 'I21' })).not.toBe('');
});
