import { expect, test, vi } from 'vitest';
import type * as Queue from '../../../src/daemon/queue/queue.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/daemon/queue/queue.ts', async (original) => ({
  ...(await original<typeof Queue>()),
  placeOf: () => 'rest',
}));

test('the simulation detects that reads, new orders and bulk share the same workers', async () => {
  expect(await untilBroken({ first: 2, maxSeeds: 400, isMeant: (seed) => worldOf(seed).backlog, law: 'I18' })).toMatch(
    /were not read|is not in the ERP/,
  );
});
