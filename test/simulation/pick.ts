import type { Chance } from '../../src/sandbox/chance.ts';

/** There is nothing to which the deed could be done. */
export class Nothing extends Error {}

export function any<T>(luck: Chance, from: readonly T[]): T {
  const [first, ...rest] = from;
  if (first === undefined) throw new Nothing();
  return luck.pick([first, ...rest] as [T, ...T[]]);
}

/** People also try what a side refuses, or what has no object. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && ['Refusal', 'Nothing', 'CannotHappen'].includes(error.constructor.name);
}
