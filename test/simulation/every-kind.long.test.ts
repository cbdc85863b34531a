import { expect, test } from 'vitest';
import { KINDS, neverStruck, OF_TWO } from './kinds.ts';
import { playUnbroken } from './shortest.ts';

/** Some kinds of fault strike in few stories only: further ones are played until each has struck. */
const MAX_SEEDS = 600;

test.each([
  { workers: 1, seeds: 120, kinds: KINDS },
  { workers: 2, seeds: 40, kinds: OF_TWO },
] as const)('every kind of fault occurs in stories with $workers at work, and no law is broken', async (each) => {
  const { workers, seeds, kinds } = each;
  const struck = new Map<string, number>();
  const isEnough = (played: number) => played >= (neverStruck(struck, kinds).length === 0 ? seeds : MAX_SEEDS);
  for (let seed = 1; !isEnough(seed - 1); seed += 1) await playUnbroken(seed, { struck, workers });
  expect(neverStruck(struck, kinds), 'each kind of fault strikes').toEqual([]);
});
