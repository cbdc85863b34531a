import { expect, test } from 'vitest';
import { eachKey } from '../../../src/store/each-key.ts';

const KEYS = Array.from({ length: 1_001 }, (_, index) => String(10_000 + index));
const keysAfter = async (_account: string, after: string, limit: number) =>
  KEYS.filter((key) => key > after).slice(0, limit);

test('an iteration over all keys yields each once and in order, over several pages', async () => {
  const { signal } = new AbortController();
  expect(await Array.fromAsync(eachKey('main', keysAfter, signal))).toEqual(KEYS);
});

test('an iteration over all keys lets other work run, and can be cancelled', async () => {
  const abort = new AbortController();
  setImmediate(() => abort.abort(new Error('enough')));
  let seen = 0;
  const all = async () => {
    for await (const _ of eachKey('main', keysAfter, abort.signal)) seen += 1;
  };
  await expect(all()).rejects.toThrow('enough');
  expect(seen).toBeLessThan(KEYS.length);
});
