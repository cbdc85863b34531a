import { expect, test, vi } from 'vitest';
import type * as Ledger from '../../../src/domain/ledger.ts';
import { untilBroken } from '../until-broken.ts';
import { VARIANTS } from '../world.ts';

vi.mock('../../../src/domain/ledger.ts', async (original) => {
  const real = await original<typeof Ledger>();
  const push: typeof real.stockTarget = (field, available, buffer) => real.stockTarget(field, available, buffer, []);
  return { ...real, stockTarget: push };
});

test.each(VARIANTS.entries().toArray())(
  'pushing what the ERP has, whatever is on its way, is caught (%i, %o)',
  async (variant) => {
    expect(
      await untilBroken({
        first: 1,
        maxSeeds: 400,
        isMeant: (seed) => seed % VARIANTS.length === variant,
        law: /I4|I6/,
      }),
    ).not.toBe('');
  },
);
