import { expect, test } from 'vitest';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const place = { account: 'main', side: 'erp', source: 'client-1' } as const;
const given = (accessToken: string) => ({
  accessToken,
  refreshToken: `${accessToken}-next`,
  obtainedAtMs: 1,
  expiresAtMs: null,
});

test('one process at a time may request the next tokens, for no longer than it claimed', async () => {
  const { tokens } = shelf().store;
  expect(await tokens.get(place)).toEqual({ tokens: null, version: 0 });
  expect(await tokens.claim(place, 0, 1_000)).toBe(true);
  expect(await tokens.claim(place, 0, 1_000)).toBe(false);
  expect(await tokens.claim({ ...place, side: 'marketplace' }, 0, 1_000)).toBe(true);
  shelf().nowMs += 1_000;
  expect(await tokens.claim(place, 0, 1_000)).toBe(true);
  await tokens.release(place, 0);
  expect(await tokens.claim(place, 0, 1_000)).toBe(true);
  expect((await tokens.get(place)).tokens).toBeNull();
});

test('tokens are stored by version: a late process changes nothing', async () => {
  const { tokens } = shelf().store;
  await tokens.claim(place, 0, 1_000);
  expect(await tokens.record(place, 0, given('a'))).toBe(true);
  expect(await tokens.record(place, 0, given('late'))).toBe(false);
  expect(await tokens.get(place)).toEqual({ tokens: given('a'), version: 1 });
  expect(await tokens.claim(place, 0, 1_000)).toBe(false);
  expect(await tokens.claim(place, 1, 1_000)).toBe(true);
});

test('another client has its own tokens, and the tokens of the earlier client are dropped', async () => {
  const { tokens } = shelf().store;
  const other = { ...place, source: 'client-2' };
  await tokens.claim(place, 0, 1_000);
  await tokens.record(place, 0, given('a'));
  expect(await tokens.get(other)).toEqual({ tokens: null, version: 0 });
  await tokens.claim(other, 0, 1_000);
  await tokens.record(other, 0, given('b'));
  expect(await tokens.get(place)).toEqual({ tokens: null, version: 0 });
});
