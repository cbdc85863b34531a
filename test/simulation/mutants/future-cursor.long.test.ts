import { expect, test, vi } from 'vitest';
import type * as Ahead from '../../../src/domain/ahead.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/domain/ahead.ts', async (original) => {
  const real = await original<typeof Ahead>();
  return { ...real, isAhead: () => false };
});

test('the simulation detects a cursor at the time of a row that its side has not reached', async () => {
  expect(
    await untilBroken({ first: 32, maxSeeds: 400, isMeant: (seed) => worldOf(seed).ahead, law: 'I8: the cursor' }),
  ).toMatch(/there it is .* at most/);
});
