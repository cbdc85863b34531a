import { expect, test, vi } from 'vitest';
import type * as Once from '../../../src/flows/engine/create-once.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/flows/engine/create-once.ts', async (original) => {
  const real = await original<typeof Once>();
  const hasty: typeof real.createOnce = (context, work) => {
    const { erp, marketplace } = context.config;
    const noTime = { erp: { ...erp, timeoutMs: 0 }, marketplace: { ...marketplace, timeoutMs: 0 } };
    return real.createOnce({ ...context, config: { ...context.config, ...noTime } }, work);
  };
  return { ...real, createOnce: hasty };
});

/** Stories in which little else goes wrong. */
function isMeant(seed: number): boolean {
  const { callFaults, turns } = worldOf(seed);
  return callFaults.includes('applied-late') && callFaults.length < 5 && turns.includes('call faults');
}

test('the simulation detects that "not found" counts as not applied while a request may still be applied', async () => {
  expect(await untilBroken({ first: 1737, maxSeeds: 4_000, isMeant, law: /I2|I3/ })).not.toBe('');
});
