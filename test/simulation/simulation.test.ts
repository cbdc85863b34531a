import { expect, test } from 'vitest';
import { playUnbroken } from './shortest.ts';
import { told } from './story.ts';

/** The long tier plays as many as it takes for every kind of fault to strike, and the same story twice in every variant. */
const SEEDS = 20;
const SEEDS_OF_TWO = 4;

const played = ([1, 2] as const).flatMap((workers) =>
  Array.from({ length: workers === 1 ? SEEDS : SEEDS_OF_TWO }, (_, index) => ({ seed: index + 1, workers })),
);

test.each(played)(
  'story $seed with $workers at work breaks no law, and then both sides agree',
  async ({ seed, workers }) => {
    await playUnbroken(seed, { workers });
  },
);

test.each([1, 2] as const)('the same seed plays the same story, line by line, with %i at work', async (workers) => {
  expect(await told(1, workers)).toBe(await told(1, workers));
});
