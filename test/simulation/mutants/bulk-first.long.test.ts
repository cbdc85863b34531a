import { expect, test, vi } from 'vitest';
import type * as Work from '../../../src/store/work.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/store/work.ts', async (original) => ({
  ...(await original<typeof Work>()),
  laneOfAct: () => 'operator',
}));

test('the simulation detects an approved plan that goes before the reads', async () => {
  const isMeant = (seed: number) => worldOf(seed).backlog && worldOf(seed).brakes !== null;
  expect(await untilBroken({ first: 83, maxSeeds: 400, isMeant, law: 'I18' })).toMatch(
    /were not read|is not in the ERP/,
  );
});
