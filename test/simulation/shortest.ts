import { playStory, type StoryOptions } from './story.ts';
import { type Workers, worldOf } from './world.ts';

const MAX_TRIES = 150;

/**
 * The shortest story that was found to break the same law, told line by line. Parts are left out as long as the law is still
 * broken.
 */
export async function shortest(seed: number, workers: Workers = 1): Promise<string[]> {
  const length = worldOf(seed, workers).steps;
  let steps = Array.from({ length }, (_, index) => index);
  const law = lawOf((await playStory(seed, { workers })).broken);
  let tries = 0;
  for (let chunk = Math.ceil(length / 2); chunk >= 1; chunk = chunk === 1 ? 0 : Math.ceil(chunk / 2)) {
    for (let at = 0; at < steps.length && tries < MAX_TRIES; ) {
      const without = [...steps.slice(0, at), ...steps.slice(at + chunk)];
      tries += 1;
      const { broken } = await playStory(seed, { workers, only: new Set(without) });
      if (lawOf(broken) === law) steps = without;
      else at += chunk;
    }
  }
  const history: string[] = [];
  const { broken } = await playStory(seed, { workers, only: new Set(steps), tell: (line) => history.push(line) });
  return [...history, `steps ${steps.join(',')}`, ...broken];
}

/**
 * Plays a story that has to hold every law.
 * @throws Error with the shortest story that was found, when it breaks one
 */
export async function playUnbroken(seed: number, options: StoryOptions): Promise<void> {
  const { broken } = await playStory(seed, options);
  if (broken.length === 0) return;
  throw new Error([`seed ${seed}:`, ...(await shortest(seed, options.workers)), ...broken].join('\n'));
}

function lawOf(broken: readonly string[]): string {
  return broken[0]?.slice(0, 3) ?? '';
}
