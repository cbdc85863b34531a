import { expect, test, vi } from 'vitest';
import type * as ReadErp from '../../../src/shadow/read-erp.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/shadow/read-erp.ts', async (original) => {
  const real = await original<typeof ReadErp>();
  const believing: typeof real.listErpProducts = (context, look) => {
    const { erp, store } = context;
    async function* listProducts(...asked: Parameters<typeof erp.listProducts>): ReturnType<typeof erp.listProducts> {
      for await (const page of erp.listProducts(...asked)) yield { ...page, complete: true };
    }
    const missingFrom: typeof store.erp.missingFrom = async (...asked) => ({
      ...(await store.erp.missingFrom(...asked)),
      missing: 0,
    });
    const believed = { erp: { ...erp, listProducts }, store: { ...store, erp: { ...store.erp, missingFrom } } };
    return real.listErpProducts({ ...context, ...believed }, look);
  };
  return { ...real, listErpProducts: believing };
});

function isMeant(seed: number): boolean {
  const { sideFaults, turns } = worldOf(seed);
  return sideFaults.includes('ERP products empty') && turns.includes('side fault');
}

test('the simulation detects that products missing from a list are archived without a limit', async () => {
  expect(await untilBroken({ first: 204, maxSeeds: 800, isMeant, law: 'I5' })).toMatch(/I5: .* was archived/);
});
