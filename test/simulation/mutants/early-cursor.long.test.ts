import { expect, test, vi } from 'vitest';
import type * as Keyset from '../../../src/marketplace/keyset.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/marketplace/keyset.ts', async (original) => {
  const real = await original<typeof Keyset>();
  const hasty: typeof real.readKeyset = async function* (source) {
    const steps = await Array.fromAsync(real.readKeyset(source));
    const last = steps.at(-1);
    for (const step of steps) yield last === undefined ? step : { ...step, cursor: last.cursor, covered: last.covered };
  };
  return { ...real, readKeyset: hasty };
});

test('the simulation detects a cursor that moves with the first page, before the others are stored', async () => {
  const isMeant = (seed: number) => worldOf(seed).pageSize !== null && worldOf(seed).turns.includes('kill within');
  expect(await untilBroken({ first: 2_581, maxSeeds: 2_000, isMeant, law: 'I8' })).toMatch(
    /I8: \w+ are marked as read/,
  );
});
