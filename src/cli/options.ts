import { InvalidArgumentError } from 'commander';
import { durationMs } from '../settings/scalars.ts';

/* The values of options, as typed. */

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** For a whole number from `low` to `high`. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${low} to ${high}.`);
  };
}

/** A length of time, such as `2h`, in milliseconds. */
export function duration(text: string): number {
  const ms = durationMs(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('Expected a time with its unit (s, m, h, d), such as 30m or 2h.');
}

/** In milliseconds: an instant, or how long ago. */
export type Moment = { readonly instantMs: number } | { readonly agoMs: number };

/** `2026-11-01T09:00:00Z`, or `2h` for two hours ago. */
export function parseMoment(text: string): Moment {
  const agoMs = durationMs(text);
  if (Number.isFinite(agoMs)) return { agoMs };
  const instantMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(instantMs)) return { instantMs };
  throw new InvalidArgumentError('Expected an instant such as 2026-11-01T09:00:00Z, or a time such as 30m, 2h or 1d.');
}

/** Epoch milliseconds. */
export function momentMs(moment: Moment, nowMs = Date.now()): number {
  return 'agoMs' in moment ? nowMs - moment.agoMs : moment.instantMs;
}
