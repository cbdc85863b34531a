import { playStory } from './story.ts';
import type { Workers } from './world.ts';

interface Search {
  /** The story that broke the law in the last check. It is played before all others. */
  readonly first: number;
  readonly maxSeeds: number;
  readonly workers?: Workers;
  readonly isMeant?: (seed: number) => boolean;
  /** The law that has to be broken, or the beginning of its text; any law when left out. */
  readonly law?: string | RegExp;
}

/** Plays stories until one breaks a law. Returns the broken laws; empty when no story from seed 1 on breaks one. */
export async function untilBroken({
  first,
  maxSeeds,
  workers = 1,
  isMeant = () => true,
  law = '',
}: Search): Promise<string> {
  const isIt = (line: string) => (typeof law === 'string' ? line.startsWith(law) : law.test(line));
  for (let seed = 0; seed <= maxSeeds; seed += 1) {
    const one = seed === 0 ? first : seed;
    if (!isMeant(one)) continue;
    const { broken } = await playStory(one, { workers });
    if (!broken.some(isIt)) continue;
    if (one !== first) process.stderr.write(`${one} breaks it, and ${first} no longer: name it as the first\n`);
    return `seed ${one}: ${broken.join('\n')}`;
  }
  return '';
}
