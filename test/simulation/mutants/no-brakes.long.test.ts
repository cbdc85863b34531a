import { expect, test, vi } from 'vitest';
import type * as Policy from '../../../src/flows/engine/policy.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

const off = vi.hoisted((): { brake: Policy.BrakeKind | 'each' } => ({ brake: 'each' }));

vi.mock('../../../src/flows/engine/policy.ts', async (original) => {
  const real = await original<typeof Policy>();
  const judge: typeof real.judge = (action, policy) => {
    const isOff = off.brake === 'each' || off.brake === action.brake;
    return real.judge(action, isOff ? { ...policy, brake: null } : policy);
  };
  return { ...real, judge };
});

test.each([
  ['each', /I11/, 9],
  ['archive', /I11: archive of /, 133],
  ['zero', /I11: zero of /, 1127],
  ['increase', /I11: increase of /, 2173],
  ['price', /I11: the price of /, 9],
  ['reject', /I11: reject of /, 310],
] as const)('the simulation detects unlimited writes: %s brake switched off', async (brake, law, first) => {
  off.brake = brake;
  expect(await untilBroken({ first, maxSeeds: 2_400, isMeant: (seed) => worldOf(seed).brakes !== null, law })).not.toBe(
    '',
  );
});
