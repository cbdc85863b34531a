import { expect, test, vi } from 'vitest';
import type * as LastRead from '../../../src/shadow/last-read.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/shadow/last-read.ts', async (original) => {
  const real = await original<typeof LastRead>();
  return { ...real, readBeforeCreate: async () => {} };
});

test('the simulation detects a payment recorded from an outdated read of the other side', async () => {
  expect(
    await untilBroken({ first: 201, maxSeeds: 800, isMeant: (seed) => worldOf(seed).payments, law: 'I2: payment' }),
  ).toMatch(/was entered on both sides/);
});
