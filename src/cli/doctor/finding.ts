import { CallFailure } from '../../domain/failure.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit.ts';

/** What one check found. */
export interface Finding {
  /** What was looked at: `disk`, `Orders: Read`. */
  readonly about: string;
  /** Whose it is; null where it is everybody's. */
  readonly account: string | null;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it; null where it is well, or the text says so. */
  readonly mend: string | null;
  /** What the program ends with because of it; `ok` unless it failed. */
  readonly exit: ExitCode;
}

export function ok(about: string, text: string): Finding {
  return { about, account: null, level: 'ok', text, mend: null, exit: EXIT.ok };
}

export function warn(about: string, text: string, mend: string | null): Finding {
  return { about, account: null, level: 'warn', text, mend, exit: EXIT.ok };
}

export function fail(about: string, text: string, mend: string | null, exit: ExitCode = EXIT.failed): Finding {
  return { about, account: null, level: 'fail', text, mend, exit };
}

/** A check that could not be finished; the messages of failed calls say what to do themselves. */
export function failed(about: string, error: unknown, mend: string | null = null): Finding {
  const text = error instanceof Error ? error.message : String(error);
  // Without room in the quota nothing was found out, which is no reason to worry and none to be sure.
  if (error instanceof CallFailure && error.kind === 'rate-limited') {
    return warn(about, `not checked: ${text}`, 'run doctor again in a minute');
  }
  return fail(about, text, mend, exitCodeOf(error));
}

/** The code of the failure that has to be mended first. */
export function exitOf(findings: readonly Finding[]): ExitCode {
  const order = [EXIT.configuration, EXIT.credentials, EXIT.unavailable, EXIT.failed] as const;
  const codes = findings.filter(({ level }) => level === 'fail').map(({ exit }) => exit);
  return order.find((code) => codes.includes(code)) ?? (codes.length > 0 ? EXIT.failed : EXIT.ok);
}
