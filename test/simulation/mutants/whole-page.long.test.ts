import { expect, test, vi } from 'vitest';
import type * as ByRow from '../../../src/store/sql/row-by-row.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/store/sql/row-by-row.ts', async (original) => {
  const real = await original<typeof ByRow>();
  const storeRows: typeof real.storeRows = (_, rows, { store }) => [...store(rows)];
  return { ...real, storeRows };
});

test('the simulation detects that one invalid row stops the list', async () => {
  expect(
    await untilBroken({ first: 12, maxSeeds: 400, isMeant: (seed) => worldOf(seed).badRow, law: 'I19: beside' }),
  ).not.toBe('');
});
