import { expect, test } from 'vitest';
import { createPlanPass, requireKnownAccounts } from '../../src/use/plan-pass.ts';

const write = { flow: 'stock', key: 'P-1', action: 'stock.write', target: 'SB-1', before: '1', after: '2' };

test('a plan with a write of an account that the configuration does not have is refused', () => {
  const config = { accounts: [{ name: 'main' }] } as unknown as Parameters<typeof requireKnownAccounts>[1];
  const own = createPlanPass({ writes: [{ ...write, account: 'main' }] });
  expect(() => requireKnownAccounts(own, config)).not.toThrow();
  const mixed = createPlanPass({
    writes: [
      { ...write, account: 'main' },
      { ...write, account: 'other' },
    ],
  });
  expect(() => requireKnownAccounts(mixed, config)).toThrow('the plan holds writes of account other, which');
});
