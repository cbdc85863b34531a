import { expect, test, vi } from 'vitest';
import type { ErpPage } from '../../../src/erp/connector.ts';
import type * as Lists from '../../../src/erp/rest/list.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/erp/rest/list.ts', async (original) => {
  const real = await original<typeof Lists>();
  function compileList<T>(...[section, shape, parts]: Parameters<typeof real.compileList<T>>): Lists.ReadList<T> {
    const read = real.compileList(section, shape, parts);
    if (!parts.at.startsWith('lists.')) return read;
    return async function* list(...asked): AsyncGenerator<ErpPage<T>> {
      for await (const page of read(...asked)) yield { ...page, complete: true };
    };
  }
  return { ...real, compileList };
});

function isMeant(seed: number): boolean {
  const { sideFaults, turns, steps } = worldOf(seed);
  return steps > 12 && sideFaults.includes('ERP products incomplete') && turns.includes('side fault');
}

test('the simulation detects archiving by an incomplete list', async () => {
  expect(await untilBroken({ first: 204, maxSeeds: 2_400, isMeant, law: 'I5' })).toMatch(/I5: .* was archived/);
});
