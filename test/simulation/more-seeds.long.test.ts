import { test } from 'vitest';
import { playUnbroken } from './shortest.ts';

/* The stories after those of the short tier. */

test.each([
  { workers: 1, from: 21, to: 50 },
  { workers: 2, from: 9, to: 20 },
] as const)(
  'stories $from to $to with $workers at work break no law, and then both sides agree',
  async ({ workers, from, to }) => {
    for (let seed = from; seed <= to; seed += 1) await playUnbroken(seed, { workers });
  },
);
