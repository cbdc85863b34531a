import { expect, test, vi } from 'vitest';
import type * as Leases from '../../../src/store/sql/leases.ts';
import { sql } from '../../../src/store/sql/orm.ts';
import { untilBroken } from '../until-broken.ts';

vi.mock('../../../src/store/sql/leases.ts', async (original) => {
  const real = await original<typeof Leases>();
  const leaseSteps: typeof real.leaseSteps = (database, now) => {
    const leases = real.leaseSteps(database, now);
    return {
      ...leases,
      async take(...asked) {
        const fence = await leases.take(...asked);
        const forget = sql`update intents set state = 'refused' where state = 'open'`;
        if (fence !== null) await database.transaction((tx) => tx.run(forget));
        return fence;
      },
    };
  };
  return { ...real, leaseSteps };
});

test('the simulation detects a takeover without a lookup of interrupted writes', async () => {
  expect(await untilBroken({ first: 1_254, maxSeeds: 2_000, workers: 2, law: /I2|I3/ })).not.toBe('');
});
