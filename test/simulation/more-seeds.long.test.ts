import { expect, test } from 'vitest';
import { playUnbroken } from './shortest.ts';
import { told } from './story.ts';
import { VARIANTS } from './world.ts';

/* The stories after those of the short tier. */

test.each([
  { workers: 1, from: 21, to: 50 },
  { workers: 2, from: 5, to: 20 },
] as const)(
  'stories $from to $to with $workers at work break no law, and then both sides agree',
  async ({ workers, from, to }) => {
    for (let seed = from; seed <= to; seed += 1) await playUnbroken(seed, { workers });
  },
);

test.each([1, 2] as const)('in each variant, the same seed plays the same story with %i at work', async (workers) => {
  for (const seed of VARIANTS.keys()) expect(await told(seed, workers)).toBe(await told(seed, workers));
});
