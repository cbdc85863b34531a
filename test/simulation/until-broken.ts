import { playStory } from './story.ts';

/**
 * Plays stories from seed 1 on until one breaks a law: what it broke. Empty when none of them does.
 * @param law the one that is meant; any when left out
 */
export async function untilBroken(
  maxSeeds: number,
  isMeant: (seed: number) => boolean = () => true,
  law = '',
): Promise<string> {
  for (let seed = 1; seed <= maxSeeds; seed += 1) {
    if (!isMeant(seed)) continue;
    const { broken } = await playStory(seed);
    if (broken.some((line) => line.startsWith(law))) return `seed ${seed}: ${broken.join('\n')}`;
  }
  return '';
}
