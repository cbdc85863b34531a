import { playStory } from './story.ts';

/** Plays stories from seed 1 on until one breaks a law: what it broke. Empty when none of them does. */
export async function untilBroken(maxSeeds: number, isMeant: (seed: number) => boolean = () => true): Promise<string> {
  for (let seed = 1; seed <= maxSeeds; seed += 1) {
    if (!isMeant(seed)) continue;
    const { broken } = await playStory(seed);
    if (broken.length > 0) return `seed ${seed}: ${broken.join('\n')}`;
  }
  return '';
}
