import { expect, test, vi } from 'vitest';
import type * as Rehearsal from '../../../src/use/rehearsal/rehearse.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/use/rehearsal/rehearse.ts', async (original) => {
  const real = await original<typeof Rehearsal>();
  // Each entity is rehearsed once, without the consequences.
  const rehearse: typeof real.rehearse = async (...parts) => {
    const played = await real.rehearse(...parts);
    const seen = new Set<string>();
    const isFirst = ({ flow, key }: { flow: string; key: string }) =>
      !seen.has(`${flow}/${key}`) && seen.add(`${flow}/${key}`);
    return { ...played, entries: played.entries.filter(isFirst) };
  };
  return { ...real, rehearse };
});

test('the simulation detects a plan with only the first step of each entity', async () => {
  expect(
    await untilBroken({
      first: 159,
      maxSeeds: 400,
      isMeant: (seed) => worldOf(seed).plans,
      law: /I13: written and not planned/,
    }),
  ).not.toBe('');
});
