import { createHash } from 'node:crypto';

/** Repeatable chance: the same seed gives the same story. */
export interface Chance {
  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<T>(from: readonly T[]): T | undefined;
}

export function chance(seed: string): Chance {
  let drawn = 0;
  const next = () => {
    drawn += 1;
    return createHash('sha256').update(`${seed} ${drawn}`).digest().readUInt32BE(0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { whole, pick: (from) => from[whole(0, from.length - 1)] };
}
