import { type Fault, faultOf } from '../use/faults.ts';

/** The exit codes. */
export const EXIT = {
  ok: 0,
  /** Any other failure. */
  failed: 1,
  /** `plan`: there is something to write. */
  changes: 2,
  usage: 64,
  /** A side is down. */
  unavailable: 69,
  tryAgain: 75,
  credentials: 77,
  configuration: 78,
} as const satisfies Record<Fault | 'ok' | 'changes', number>;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf(error: unknown): ExitCode {
  return EXIT[faultOf(error)];
}
