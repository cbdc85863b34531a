import { expect, test, vi } from 'vitest';
import type * as Compare from '../../../src/flows/order/in/compare.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/flows/order/in/compare.ts', async (original) => ({
  ...(await original<typeof Compare>()),
  linesAtKeptPrices: ({ lines }: Compare.Wanted) =>
    lines.map((line) => ({ ...line, unitPrice: line.unitPrice.plus(1) })),
}));

test('the simulation detects another price written with an edited quantity', async () => {
  expect(await untilBroken({ first: 63, maxSeeds: 200, law: 'I15' })).toMatch(/I15: .* on the side of erp/);
});
