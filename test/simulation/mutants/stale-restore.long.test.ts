import { expect, test, vi } from 'vitest';
import type * as Client from '../../../src/marketplace/client.ts';
import { untilBroken } from '../until-broken.ts';
import { COMINGS_BACK, worldOf } from '../world.ts';

type Call = Client.MarketplaceClient['call'];

vi.mock('../../../src/marketplace/client.ts', async (original) => {
  const real = await original<typeof Client>();
  const createMarketplaceClient: typeof real.createMarketplaceClient = (settings) => {
    const client = real.createMarketplaceClient(settings);
    const call = (id: string, request: { body?: Record<string, unknown> }, options: unknown) => {
      const { listing_state } = request.body ?? {};
      const stale = listing_state === undefined ? request : { ...request, body: { listing_state } };
      return client.call(id as never, stale as never, options as never);
    };
    return { ...client, call: call as unknown as Call };
  };
  return { ...real, createMarketplaceClient };
});

test('the simulation detects a restore with outdated stock', async () => {
  expect(
    await untilBroken({
      first: 622,
      maxSeeds: 800,
      isMeant: (seed) => worldOf(seed).deeds === COMINGS_BACK,
      law: 'I4',
    }),
  ).toMatch(/I4/);
});
