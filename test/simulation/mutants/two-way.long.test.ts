import { expect, test, vi } from 'vitest';
import type * as Base from '../../../src/domain/order-base.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/domain/order-base.ts', async (original) => {
  const real = await original<typeof Base>();
  const changedSkus: typeof real.changedSkus = (_, { marketplace, erp }) => ({
    marketplace: real.differing(new Map(marketplace), new Map(erp)),
    erp: [],
  });
  return { ...real, changedSkus };
});

test('the simulation detects that every difference is taken for an edit on the marketplace', async () => {
  expect(await untilBroken({ first: 62, maxSeeds: 200, law: 'I16' })).toMatch(
    /I16: somebody made .* on the side of erp/,
  );
});
