import { type Finding, ok, warn } from './finding.ts';

/** With a larger difference, recorded times mislead, and tokens expire too early. */
const MAX_DIFFERENCE_MS = 60_000;

/**
 * Compares the clock of a side with our clock. No decision rests on our clock, so a difference stops nothing.
 * @param theirs a time that the side named between our instants `fromMs` and `toMs`
 */
export function judgeClock(side: string, theirs: string | undefined, fromMs: number, toMs: number): Finding {
  const about = `${side} clock`;
  const theirMs = Date.parse(theirs ?? '');
  if (Number.isNaN(theirMs)) return ok(about, 'it does not tell its time');
  const seconds = Math.round((theirMs - (fromMs + toMs) / 2) / 1000);
  if (Math.abs(seconds) * 1000 <= MAX_DIFFERENCE_MS) return ok(about, 'agrees with ours to the minute');
  const text = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ours`;
  return warn(about, text, 'set this machine by NTP (timedatectl set-ntp true), or have theirs set');
}
