import { type Fault, faultOf } from '../use/faults.ts';

/** The meaning of the program's exit code. */
export const EXIT = {
  ok: 0,
  /** Any failure that has no code of its own. */
  failed: 1,
  /** `plan`: there is something to write. */
  changes: 2,
  usage: 64,
  /** An upstream is down. */
  unavailable: 69,
  tryAgain: 75,
  credentials: 77,
  configuration: 78,
} as const satisfies Record<Fault | 'ok' | 'changes', number>;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(error: unknown): ExitCode {
  return EXIT[faultOf(error)];
}
