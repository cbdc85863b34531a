import { expect, test, vi } from 'vitest';
import type * as Leases from '../../../src/store/sql/leases.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/store/sql/leases.ts', async (original) => ({
  ...(await original<typeof Leases>()),
  fenced: (database: unknown) => database,
}));

test('the simulation detects writes under a lease that another daemon has taken over', async () => {
  expect(await untilBroken({ first: 15, maxSeeds: 400, workers: 2, law: 'one worker' })).not.toBe('');
});
