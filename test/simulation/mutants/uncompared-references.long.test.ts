import { expect, test, vi } from 'vitest';
import type * as Kept from '../../../src/flows/order/in/altered-reference.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/flows/order/in/altered-reference.ts', async (original) => ({
  ...(await original<typeof Kept>()),
  compareReference: async () => {},
  compareListed: async () => {},
}));

test('the simulation detects that a reference that the ERP changed is taken for the one that was sent', async () => {
  const isMeant = (seed: number) => worldOf(seed).happenings?.some((one) => OF_KEYS.has(one)) ?? false;
  expect(await untilBroken({ first: 77, maxSeeds: 800, isMeant, law: 'references: ' })).not.toBe('');
});

const OF_KEYS = new Set(['cut', 'upper-cased', 'trimmed']);
