import { expect, test, vi } from 'vitest';
import type * as Policy from '../../../src/flows/engine/policy.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/flows/engine/policy.ts', async (original) => {
  const real = await original<typeof Policy>();
  const judge: typeof real.judge = (action, policy) =>
    real.judge(action, action.brake === 'relink' ? { ...policy, brake: null } : policy);
  return { ...real, judge };
});

test('the simulation detects a link that is moved to another id without an approved plan', async () => {
  const isMeant = (seed: number) => worldOf(seed).happenings?.includes('imported anew') ?? false;
  expect(await untilBroken({ first: 139, maxSeeds: 800, isMeant, law: 'I11: ' })).not.toBe('');
});
