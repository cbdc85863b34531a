import { expect, test, vi } from 'vitest';
import type * as Alike from '../../../src/domain/alike.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/domain/alike.ts', async (original) => {
  const real = await original<typeof Alike>();
  return { ...real, signsSought: () => [] };
});

test('the simulation detects a create of an unlinked product that is listed under another SKU', async () => {
  expect(
    await untilBroken({ first: 24, maxSeeds: 200, isMeant: (seed) => worldOf(seed).strangers, law: 'I14' }),
  ).toMatch(/I14: .* was on sale as listing/);
});
