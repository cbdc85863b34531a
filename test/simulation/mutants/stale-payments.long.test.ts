import { expect, test, vi } from 'vitest';
import type * as LastRead from '../../../src/shadow/last-read.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/shadow/last-read.ts', async (original) => {
  const real = await original<typeof LastRead>();
  return { ...real, readBeforeCreate: async () => {} };
});

test('recording a payment by what was known of the other side a while ago is caught', async () => {
  expect(
    await untilBroken({ first: 201, maxSeeds: 800, isMeant: (seed) => worldOf(seed).payments, law: 'I2: payment' }),
  ).toMatch(/was entered on both sides/);
});
