import { expect, test, vi } from 'vitest';
import { inSync } from '../../../src/flows/engine/decision.ts';
import type * as Decide from '../../../src/flows/stock/decide.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/flows/stock/decide.ts', async (original) => {
  const real = await original<typeof Decide>();
  const decideStock: typeof real.decideStock = (snapshot) => {
    const decision = real.decideStock(snapshot);
    const [write] = decision.actions;
    const isMore = write?.brake === 'increase' && write.before !== '0' && !write.lists;
    return isMore ? inSync() : decision;
  };
  return { ...real, decideStock };
});

test('the simulation detects that stock is never increased', async () => {
  expect(await untilBroken({ first: 2, maxSeeds: 200, law: /I6: .*: buyers can take/ })).not.toBe('');
});
