import { playStory } from './story.ts';

/**
 * Plays stories from seed 1 on until one breaks a law: what it broke. Empty when none of them does.
 * @param law the one that is meant, or its beginning; any when left out
 */
export async function untilBroken(
  maxSeeds: number,
  isMeant: (seed: number) => boolean = () => true,
  law: string | RegExp = '',
): Promise<string> {
  for (let seed = 1; seed <= maxSeeds; seed += 1) {
    if (!isMeant(seed)) continue;
    const { broken } = await playStory(seed);
    const isIt = (line: string) => (typeof law === 'string' ? line.startsWith(law) : law.test(line));
    if (broken.some(isIt)) return `seed ${seed}: ${broken.join('\n')}`;
  }
  return '';
}
