import { expect, it } from 'vitest';
import { createTurns } from '../../../src/erp/rest/limits.ts';

const LIMITS = { perSecond: null, perMinute: 3 };
const AT_ONCE_MS = 5;

function turnsOf(ages: () => Promise<readonly number[]>) {
  const added: number[] = [];
  const turns = createTurns(LIMITS, () => performance.now(), { ages, add: (most) => added.push(most) });
  return { turns, added };
}

it('calls of an earlier process count in the minute', async () => {
  const { turns, added } = turnsOf(async () => [59_000, 2_000]);
  await turns.take(AT_ONCE_MS, undefined);
  await expect(turns.take(AT_ONCE_MS, undefined)).rejects.toMatchObject({ kind: 'rate-limited' });
  expect(added).toEqual([3]);
});

it('calls of more than a minute ago do not count', async () => {
  const { turns } = turnsOf(async () => [60_060, 60_059, 60_058]);
  for (let call = 0; call < 3; call++) await turns.take(AT_ONCE_MS, undefined);
  await expect(turns.take(AT_ONCE_MS, undefined)).rejects.toMatchObject({ kind: 'rate-limited' });
});

it('an unreadable record of calls may mean a full minute', async () => {
  const { turns } = turnsOf(() => Promise.reject(new Error('no Redis')));
  await expect(turns.take(AT_ONCE_MS, undefined)).rejects.toMatchObject({ kind: 'rate-limited' });
});
