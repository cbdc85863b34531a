import { expect, test } from 'vitest';
import { playUnbroken } from './shortest.ts';
import { playStory } from './story.ts';
import { VARIANTS } from './world.ts';

/** The long tier plays as many as it takes for every kind of fault to strike. */
const SEEDS = 20;
const SEEDS_OF_TWO = 8;

test.each([
  { workers: 1, seeds: SEEDS },
  { workers: 2, seeds: SEEDS_OF_TWO },
] as const)('stories with $workers at work break no law, and then both sides agree', async ({ workers, seeds }) => {
  for (let seed = 1; seed <= seeds; seed += 1) await playUnbroken(seed, { workers });
});

test.each([1, 2] as const)('the same seed plays the same story, line by line, with %i at work', async (workers) => {
  for (const seed of VARIANTS.keys()) {
    const tellings = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const lines: string[] = [];
      await playStory(seed, { workers, tell: (line) => lines.push(line) });
      tellings.push(lines.join('\n'));
    }
    expect(tellings[1]).toBe(tellings[0]);
  }
});
