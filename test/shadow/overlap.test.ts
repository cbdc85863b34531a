import { expect, test } from 'vitest';
import { beginOverlap } from '../../src/shadow/overlap.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const MINUTE = 60_000;
const REST = '2030-01-01T12:00:00.000Z';
const LATER = '2030-01-01T12:30:00.000Z';

/** Reads the orders at these minutes, from these cursors. Answers the minutes at which the whole overlap was read. */
async function deepAt(reads: readonly (readonly [minute: number, cursor: string])[]): Promise<number[]> {
  const { store } = shelf();
  const plain = accountConfig();
  const poll = { ...plain.marketplace.poll, overlapMs: 8 * MINUTE };
  const config = { ...plain, marketplace: { ...plain.marketplace, poll } };
  const beganMs = shelf().nowMs;
  const deep: number[] = [];
  for (const [minute, cursor] of reads) {
    const context = { ...accountContext(store, config), now: () => beganMs + minute * MINUTE };
    const before = await store.facts.get('main', 'orders-deep-read');
    await (await beginOverlap(context, 'orders', cursor)).wasRead();
    if ((await store.facts.get('main', 'orders-deep-read')) !== before) deep.push(minute);
  }
  return deep;
}

test('each half overlap the whole overlap is read, until the cursor has rested for an overlap', async () => {
  const minutes = Array.from({ length: 20 }, (_, minute) => [minute, REST] as const);
  expect(await deepAt(minutes)).toEqual([0, 4, 8]);
});

test('while the cursor moves, the whole overlap is read again', async () => {
  const rests = [0, 4, 8, 12].map((minute) => [minute, REST] as const);
  const moves = [13, 14, 17, 21, 25, 29].map((minute) => [minute, LATER] as const);
  expect(await deepAt([...rests, ...moves])).toEqual([0, 4, 8, 13, 17, 21]);
});

test('a clock that was set back delays no read of the whole overlap', async () => {
  expect(
    await deepAt([
      [60, REST],
      [0, REST],
    ]),
  ).toEqual([60, 0]);
});
