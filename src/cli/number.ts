import { InvalidArgumentError } from 'commander';
import { durationMs } from '../settings/scalars.ts';

/** Reads an option that is a whole number from `low` to `high`. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${low} to ${high}.`);
  };
}

/** Reads an option that is a length of time, such as `2h`, as milliseconds. */
export function duration(text: string): number {
  const ms = durationMs(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('Expected a time with its unit (s, m, h, d), such as 30m or 2h.');
}
