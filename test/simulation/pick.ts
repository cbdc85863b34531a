import type { Chance } from '../../src/sandbox/chance.ts';

/** Nobody is there to do it to. */
export class Nothing extends Error {}

export function any<T>(luck: Chance, from: readonly T[]): T {
  const [first, ...rest] = from;
  if (first === undefined) throw new Nothing();
  return luck.pick([first, ...rest] as [T, ...T[]]);
}
