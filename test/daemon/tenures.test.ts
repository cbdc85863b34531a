import { expect, test } from 'vitest';
import { createTenures, type Held } from '../../src/daemon/tenures.ts';
import { createLogger } from '../../src/logging.ts';

const log = createLogger({ level: 'silent', secrets: [] });

test('what has not ended when an account is handed over may send as long as it is given, and nothing more then', async () => {
  const held: Held[] = [];
  const seen: (boolean | undefined)[] = [];
  const leases = { take: async () => 1, release: async () => void seen.push(held[0]?.holds()) };
  const begin = async (_account: string, one: Held) => {
    held.push(one);
    return { stop: async () => void seen.push(one.holds()) };
  };
  const tenures = createTenures({ leases, begin, log }, 'this daemon');
  await tenures.take('main');
  await tenures.giveAll(0);
  expect(seen).toEqual([true, false]);
});
