import { expect, test } from 'vitest';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { lostWriteOf } from '../../../src/flows/stock/observe.ts';

type Write = { outcome: string; atMs: number };

const TIMEOUT_MS = 5_000;

/** @param writes newest first */
const lost = (nowMs: number, writes: readonly Write[]) => {
  const rows = writes.map((write) => ({ ...write, before: null, after: null }));
  const context = {
    account: 'main',
    config: { marketplace: { timeoutMs: TIMEOUT_MS } },
    store: { journal: { latestWrites: async () => rows } },
    now: () => nowMs,
  };
  return lostWriteOf(context as unknown as AccountContext, 'P-1');
};

test.each<[string, number, Write[], { mayComeIn: number } | null]>([
  ['none was lost', 100_000, [{ outcome: 'written', atMs: 1 }], null],
  ['lost just now', 100_000, [{ outcome: 'unknown', atMs: 99_000 }], { mayComeIn: 9_000 }],
  ['on its way when the program died', 100_000, [{ outcome: 'sent', atMs: 96_000 }], { mayComeIn: 6_000 }],
  ['lost long ago, and nothing written since', 100_000, [{ outcome: 'unknown', atMs: 1_000 }], { mayComeIn: 0 }],
  [
    'a later write was made while it might still come',
    100_000,
    [
      { outcome: 'written', atMs: 9_000 },
      { outcome: 'unknown', atMs: 1_000 },
    ],
    { mayComeIn: 0 },
  ],
  [
    'a later write has made it good',
    100_000,
    [
      { outcome: 'written', atMs: 11_000 },
      { outcome: 'unknown', atMs: 1_000 },
    ],
    null,
  ],
  [
    'an earlier write with a date from a clock that was set back since',
    100_000,
    [
      { outcome: 'unknown', atMs: 99_000 },
      { outcome: 'written', atMs: 300_000 },
    ],
    { mayComeIn: 9_000 },
  ],
  ['the clock was set back', 1_000, [{ outcome: 'unknown', atMs: 99_000 }], { mayComeIn: 10_000 }],
])('a stock write with a lost answer: %s', async (_, nowMs, writes, expected) => {
  expect(await lost(nowMs, writes)).toEqual(expected);
});
