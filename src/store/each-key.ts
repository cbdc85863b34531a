import { setImmediate as nextTurn } from 'node:timers/promises';

/** Sorted, after `after`. */
export type KeysAfter = (account: string, after: string, limit: number) => Promise<string[]>;

const BATCH = 500;
/** The store is synchronous: without a pause after this many keys, nothing else runs, and statements are not freed. */
const TURN_EVERY_KEYS = 20;

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
