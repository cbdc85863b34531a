import type { Begin } from './account-leases.ts';

/** The most accounts started at once. Each waits several times for the disk and for Redis, so more would only wait. */
const MOST = 16;

/** Limits how many accounts start at once. An account that is handed over while it waits never starts. */
export function limitConcurrentStarts(begin: Begin): Begin {
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
