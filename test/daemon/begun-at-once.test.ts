import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Held, Running } from '../../src/daemon/account-leases.ts';
import { limitConcurrentStarts } from '../../src/daemon/limited-parallel.ts';

const ACCOUNTS = Array.from({ length: 40 }, (_, index) => `brand${index}`);
const HELD: Held = { fence: 1, holds: () => true };

function open() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<Running>>();
  const begin = limitConcurrentStarts((account) => {
    begun.push(account);
    const end = Promise.withResolvers<Running>();
    ends.set(account, end);
    return end.promise;
  });
  return { begun, begin, end: (account = '') => ends.get(account)?.resolve({ stop: async () => {} }), ends };
}

test('accounts start in parallel with a limit; one failure does not stop the others', async () => {
  const { begun, begin, end, ends } = open();
  const failed: string[] = [];
  const all = ACCOUNTS.map((account) => begin(account, HELD).catch(() => failed.push(account)));
  await turn();
  expect(begun).toEqual(ACCOUNTS.slice(0, 16));
  ends.get('brand3')?.reject(new Error('it is broken'));
  end('brand5');
  await turn();
  expect(begun).toEqual(ACCOUNTS.slice(0, 18));
  for (const account of ACCOUNTS) {
    end(account);
    await turn();
  }
  await Promise.all(all);
  expect([begun, failed]).toEqual([ACCOUNTS, ['brand3']]);
});

test('an account that is handed over while it waits for its turn never starts', async () => {
  const { begun, begin, end } = open();
  const first = ACCOUNTS.slice(0, 16).map((account) => begin(account, HELD));
  let holds = true;
  const late = begin('late', { fence: 1, holds: () => holds });
  holds = false;
  for (const account of ACCOUNTS) end(account);
  await expect(late).rejects.toThrow('account late was handed over before the work on it began');
  await Promise.all(first);
  expect(begun).not.toContain('late');
});
