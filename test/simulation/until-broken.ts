import { playStory } from './story.ts';
import type { Workers } from './world.ts';

interface Search {
  /** The story that broke it when somebody looked last: it is played before all others. */
  readonly first: number;
  readonly maxSeeds: number;
  readonly workers?: Workers;
  readonly isMeant?: (seed: number) => boolean;
  /** The one that is meant, or its beginning; any when left out. */
  readonly law?: string | RegExp;
}

/** Plays stories until one breaks a law: what it broke. Empty when none from seed 1 on does. */
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
