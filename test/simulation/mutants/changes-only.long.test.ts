import { expect, test, vi } from 'vitest';
import type * as ReadErpOrders from '../../../src/shadow/read-erp-orders.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/shadow/read-erp-orders.ts', async (original) => {
  const real = await original<typeof ReadErpOrders>();
  return { ...real, listErpOrders: real.readErpOrders };
});

test('the simulation detects a read of only the ERP orders changed since the last read', async () => {
  expect(
    await untilBroken({
      first: 213,
      maxSeeds: 800,
      isMeant: (seed) => worldOf(seed).vanishing,
      law: /^I6: .*in the ERP/,
    }),
  ).toMatch(/in the ERP/);
});
