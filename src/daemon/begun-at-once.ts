import type { Begin } from './tenures.ts';

/** Accounts begin beside each other, since each waits for the disk and for Redis several times; more than so many would only wait. */
const MOST = 16;

/** Begins the work on accounts, on so many at once; the others wait for their turn. One that is handed over meanwhile never begins. */
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
