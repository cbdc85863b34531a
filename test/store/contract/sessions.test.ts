import { expect, test } from 'vitest';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const session = (hash: string, lastsMs = 1_000) => ({
  hash,
  proof: `proof of ${hash}`,
  endsAtMs: shelf().nowMs + lastsMs,
});

test('a session is valid until it expires or is ended', async () => {
  const { sessions } = shelf().store;
  const [a, b] = [session('a'), session('b')];
  await sessions.begin(a, 10);
  await sessions.begin(b, 10);
  expect([await sessions.get('a'), await sessions.get('b'), await sessions.get('c')]).toEqual([a, b, null]);
  expect([await sessions.end('b'), await sessions.end('b')]).toEqual([true, false]);
  expect(await sessions.get('b')).toBeNull();
  shelf().nowMs += 1_000;
  expect(await sessions.get('a')).toBeNull();
});

test('the sessions of a person are limited: those that expire first are removed, and nobody else is logged out', async () => {
  const { sessions } = shelf().store;
  await sessions.begin(session('other', 5), 2);
  for (const [hash, lastsMs] of [
    ['a', 30],
    ['b', 10],
    ['c', 20],
  ] as const)
    await sessions.begin({ ...session(hash, lastsMs), proof: 'one' }, 2);
  const all = ['a', 'b', 'c', 'other'];
  const known = await Promise.all(all.map(async (hash) => (await sessions.get(hash))?.hash ?? null));
  expect(known).toEqual(['a', null, 'c', 'other']);
});
