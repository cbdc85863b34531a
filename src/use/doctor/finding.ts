import { CallFailure } from '../../domain/failure.ts';
import { type Fault, faultOf } from '../faults.ts';

export interface Finding {
  /** What was checked: `disk`, `Orders: Read`. */
  readonly about: string;
  /** null: all accounts. */
  readonly account: string | null;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do; null: nothing, or the text says it. */
  readonly mend: string | null;
  /** null: not failed. */
  readonly fault: Fault | null;
}

export function ok(about: string, text: string): Finding {
  return { about, account: null, level: 'ok', text, mend: null, fault: null };
}

export function warn(about: string, text: string, mend: string | null): Finding {
  return { about, account: null, level: 'warn', text, mend, fault: null };
}

export function fail(about: string, text: string, mend: string | null, fault: Fault = 'failed'): Finding {
  return { about, account: null, level: 'fail', text, mend, fault };
}

/** An unfinished check. Messages of failed calls include the advice. */
export function failed(about: string, error: unknown, mend: string | null = null): Finding {
  const text = error instanceof Error ? error.message : String(error);
  // Without quota nothing was learned, so it is a warning.
  if (error instanceof CallFailure && error.kind === 'rate-limited') {
    return warn(about, `not checked: ${text}`, 'run doctor again in a minute');
  }
  return fail(about, text, mend, faultOf(error));
}

/** An unfinished check becomes a finding. */
export async function checked(about: string, check: (about: string) => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await check(about);
  } catch (error) {
    return failed(about, error);
  }
}

const MENDED_FIRST = ['configuration', 'credentials', 'unavailable'] as const satisfies readonly Fault[];

/** The fault to correct first; null: none. */
export function worstFault(findings: readonly Finding[]): Fault | null {
  const faults = findings.flatMap(({ fault }) => fault ?? []);
  return MENDED_FIRST.find((fault) => faults.includes(fault)) ?? (faults.length > 0 ? 'failed' : null);
}

/** A larger difference makes recorded times misleading and tokens expire early. */
const MAX_DIFFERENCE_MS = 60_000;

/**
 * Compares a side's clock with ours. No decision uses our clock, so a difference stops nothing.
 * @param theirs the side's time between our `fromMs` and `toMs`
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
