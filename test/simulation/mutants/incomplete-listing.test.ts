import { expect, test, vi } from 'vitest';
import type { ErpPage } from '../../../src/erp/connector.ts';
import type * as Lists from '../../../src/erp/http/list.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/erp/http/list.ts', async (original) => {
  const real = await original<typeof Lists>();
  function collection<T>(...about: Parameters<typeof real.collection<T>>): ReturnType<typeof real.collection<T>> {
    const read = real.collection(...about);
    async function* list(...asked: Parameters<typeof read.list>): AsyncGenerator<ErpPage<T>> {
      for await (const page of read.list(...asked)) yield { ...page, complete: true };
    }
    return { ...read, list };
  }
  return { ...real, collection };
});

function isMeant(seed: number): boolean {
  const { sideFaults, turns, steps } = worldOf(seed);
  return steps > 12 && sideFaults.includes('ERP products incomplete') && turns.includes('side fault');
}

test('archiving what an incomplete listing lacks is caught', async () => {
  expect(await untilBroken(2_400, isMeant, 'I5')).toMatch(/I5: .* was archived/);
});
