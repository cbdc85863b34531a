import type { Begin } from './account-leases.ts';

/**
 * The most accounts that begin at the same time. Each waits for the disk and for Redis several times, and more accounts would
 * only wait.
 */
const MOST = 16;

/**
 * Begins the work on accounts, at most on so many at a time; the others wait for their turn. An account that is handed over
 * meanwhile never begins.
 */
export function begunAtOnce(begin: Begin): Begin {
  let beginning = 0;
  const waiting: (() => void)[] = [];
  return async (account, held) => {
    if (beginning < MOST) beginning += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (!held.holds()) throw new Error(`account ${account} was handed over before the work on it began`);
      return await begin(account, held);
    } finally {
      const next = waiting.shift();
      if (next === undefined) beginning -= 1;
      else next();
    }
  };
}
