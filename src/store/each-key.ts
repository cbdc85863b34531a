import { setImmediate as nextTurn } from 'node:timers/promises';

/** Finds keys of an account after `after`, in order. */
export type KeysAfter = (account: string, after: string, limit: number) => Promise<string[]>;

const BATCH = 500;
/** The store answers at once. Without a pause, nothing else could run meanwhile, not even the freeing of its statements. */
const TURN_EVERY_KEYS = 20;

/** Every key of an account, in order, a page at a time. */
export async function* eachKey(account: string, keysAfter: KeysAfter, signal: AbortSignal): AsyncGenerator<string> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const keys: string[] = await keysAfter(account, after, BATCH);
    for (const [index, key] of keys.entries()) {
      if (index % TURN_EVERY_KEYS === 0) await nextTurn();
      signal.throwIfAborted();
      yield key;
    }
    after = keys.length < BATCH ? undefined : keys.at(-1);
  }
}
