import { InvalidArgumentError } from 'commander';
import { durationMs } from '../settings/scalars.ts';

/** An instant, or a time before now; both in milliseconds. */
export type Moment = { readonly instantMs: number } | { readonly agoMs: number };

/** A moment as it is typed: `2026-11-01T09:00:00Z`, or `2h` for two hours ago. */
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
