import { afterEach, expect, test, vi } from 'vitest';
import { createAccountLeases, type Held, LEASE_MS } from '../../src/daemon/account-leases.ts';
import { createLogger } from '../../src/logging/logging.ts';

afterEach(() => void vi.useRealTimers());

const log = createLogger({ level: 'silent', secrets: [] });

test('work that has not ended when an account is handed over may send within its limit, and nothing after it', async () => {
  const held: Held[] = [];
  const seen: (boolean | undefined)[] = [];
  const leases = { take: async () => 1, release: async () => void seen.push(held[0]?.holds()) };
  const begin = async (_account: string, one: Held) => {
    held.push(one);
    return { stop: async () => void seen.push(one.holds()) };
  };
  const accountLeases = createAccountLeases({ leases, begin, log }, 'this daemon');
  await accountLeases.take('main');
  await accountLeases.giveAll(0);
  expect(seen).toEqual([true, false]);
});

test('an account whose work has not begun yet is handed over, and work that begins after that ends at once', async () => {
  vi.useFakeTimers();
  const released: string[] = [];
  const leases = { take: async () => 1, release: async (account: string) => void released.push(account) };
  const begun = Promise.withResolvers<void>();
  const stopped: string[] = [];
  const held: Held[] = [];
  const begin = async (account: string, one: Held) => {
    held.push(one);
    await begun.promise;
    return { stop: async () => void stopped.push(account) };
  };
  const accountLeases = createAccountLeases({ leases, begin, log }, 'this daemon');
  await accountLeases.take('main');
  const given = accountLeases.giveAll(5_000);
  await vi.advanceTimersByTimeAsync(10_000);
  await given;
  expect([released, stopped, accountLeases.has('main'), held[0]?.holds()]).toEqual([['main'], [], false, false]);
  begun.resolve();
  await vi.advanceTimersByTimeAsync(1);
  expect(stopped).toEqual(['main']);
});

test('a daemon whose lease is over ends although the work on the account has never begun', async () => {
  vi.useFakeTimers();
  const leases = { take: async () => 1, release: async () => {} };
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const stopped: string[] = [];
  const begin = async (account: string) => {
    await begun;
    return { stop: async () => void stopped.push(account) };
  };
  const accountLeases = createAccountLeases({ leases, begin, log }, 'this daemon');
  await accountLeases.take('main');
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  accountLeases.dropLost();
  let isGiven = false;
  void accountLeases.giveAll(0).then(() => {
    isGiven = true;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([isGiven, stopped, accountLeases.has('main')]).toEqual([true, [], false]);
  begins();
  await vi.advanceTimersByTimeAsync(1);
  expect(stopped).toEqual(['main']);
});

test('an account is handed over although its work failed', async () => {
  const released: string[] = [];
  const leases = { take: async () => 1, release: async (account: string) => void released.push(account) };
  const begin = async () => ({ stop: () => Promise.reject(new Error('Redis is away')) });
  const accountLeases = createAccountLeases({ leases, begin, log }, 'this daemon');
  await accountLeases.take('main');
  await accountLeases.giveAll(0);
  expect([released, accountLeases.has('main')]).toEqual([['main'], false]);
});
