import { expect, test, vi } from 'vitest';
import type * as Ledger from '../../../src/domain/ledger.ts';
import { untilBroken } from '../until-broken.ts';
import { VARIANTS } from '../world.ts';

vi.mock('../../../src/domain/ledger.ts', async (original) => {
  const real = await original<typeof Ledger>();
  const push: typeof real.stockTarget = (field, available, buffer, _, unitsIn) =>
    real.stockTarget(field, available, buffer, [], unitsIn);
  return { ...real, stockTarget: push };
});

test.each(VARIANTS.map((names, variant) => ({ variant, names, first: [28, 21, 6, 75][variant] ?? 1 })))(
  "the simulation detects the ERP's stock written without orders in flight ($variant, $names)",
  async ({ variant, first }) => {
    expect(
      await untilBroken({
        first,
        maxSeeds: 400,
        isMeant: (seed) => seed % VARIANTS.length === variant,
        law: /I4|I6/,
      }),
    ).not.toBe('');
  },
);
