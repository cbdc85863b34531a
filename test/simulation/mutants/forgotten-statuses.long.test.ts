import { expect, test, vi } from 'vitest';
import type * as Moves from '../../../src/domain/status-moves.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/domain/status-moves.ts', async (original) => ({
  ...(await original<typeof Moves>()),
  revertedSide: () => null,
  hadReached: () => false,
}));

test('the simulation detects that a status moved back by a person is answered by our earlier step', async () => {
  const isMeant = (seed: number) => worldOf(seed).happenings?.includes('taken up again') ?? false;
  expect(await untilBroken({ first: 282, maxSeeds: 800, isMeant, law: 'I16: people moved' })).not.toBe('');
});
