import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareAccounts } from '../../src/daemon/owned-accounts.ts';
import { createLogger } from '../../src/logging/logging.ts';
import type { Configured, Lease, LeaseStore } from '../../src/store/leases.ts';

/* Leases of a database that answers slowly, and a daemon with many accounts. */

const TAKE_MS = 100;
const ACCOUNTS = Array.from({ length: 150 }, (_, nth) => `shop-${nth}`);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const log = createLogger({ level: 'silent', secrets: [] });
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param first the accounts of the beginning */
function open(first: readonly string[]) {
  let names = first;
  const taken: Lease[] = [];
  const ended: string[] = [];
  let told: readonly Configured[] = [];
  const id = 'this daemon';
  const leases = {
    async take(account: string, holder: string, ms: number) {
      await pass(TAKE_MS);
      const fence = taken.length + 1;
      taken.push({ account, holder, fence, leftMs: ms, sinceMs: Date.now() });
      return fence;
    },
    beat: async () => ({
      daemons: [{ id, name: id, works: true }],
      leases: [...taken],
      configured: told.map((one) => ({ ...one, daemon: id, isInForce: true })),
    }),
    announce: async (_daemon: unknown, configured: readonly Configured[]) => {
      told = configured;
    },
    release: async () => {},
    leave: async () => {},
  } as unknown as LeaseStore;
  const begin = async (account: string) => ({ stop: async () => void ended.push(account) });
  const accounts = () => names.map((name) => ({ name, daemons: null, settings: 'the same', problem: null }));
  const daemon = shareAccounts({ id, leases, name: id, accounts, begin, log });
  return { taken, ended, daemon, become: (other: readonly string[]) => void (names = other) };
}

test('a daemon keeps the accounts that it took first while it takes the last', async () => {
  const { taken, ended, daemon } = open(ACCOUNTS);
  await vi.advanceTimersByTimeAsync(3 * ACCOUNTS.length * TAKE_MS);
  expect([taken.length, ended]).toEqual([ACCOUNTS.length + 1, []]);
  const { stop } = await daemon;
  await stop(0);
  expect(ended).toHaveLength(ACCOUNTS.length + 1);
});

test('a daemon that is stopped while it takes accounts takes no more', async () => {
  const { taken, ended, daemon, become } = open([]);
  await vi.advanceTimersByTimeAsync(TAKE_MS);
  const { stop } = await daemon;
  become(ACCOUNTS);
  await vi.advanceTimersByTimeAsync(2_000);
  const known = taken.length;
  void stop(0);
  await vi.advanceTimersByTimeAsync(ACCOUNTS.length * TAKE_MS);
  expect(known).toBeGreaterThan(2);
  expect([taken.length, ended.length]).toEqual([known + 1, known + 1]);
});
