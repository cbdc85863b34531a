import { ConfigError } from '../config/problem.ts';
import { CallFailure, type FailureKind } from '../domain/failure.ts';

/** What the program's exit code says. */
export const EXIT = {
  ok: 0,
  /** Anything that has no code of its own. */
  failed: 1,
  /** `plan`: there is something to write. */
  changes: 2,
  usage: 64,
  /** An upstream is down. */
  unavailable: 69,
  tryAgain: 75,
  credentials: 77,
  configuration: 78,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What was typed makes no sense. `message` says what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const CALL_EXITS: Record<FailureKind, ExitCode> = {
  unavailable: EXIT.unavailable,
  'rate-limited': EXIT.tryAgain,
  credentials: EXIT.credentials,
  forbidden: EXIT.credentials,
  'not-found': EXIT.failed,
  refused: EXIT.failed,
  misfit: EXIT.failed,
  incomplete: EXIT.tryAgain,
};

/** By their names, so that telling an exit code loads neither the database nor Redis. */
const NAMED_EXITS: Readonly<Record<string, ExitCode>> = {
  LockHeldError: EXIT.tryAgain,
  LookInProgress: EXIT.tryAgain,
  NoRedisError: EXIT.unavailable,
  Interrupted: EXIT.tryAgain,
};

/** Of a server that could not be reached, when it is not a call of ours: Redis. */
const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
];

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ConfigError) return EXIT.configuration;
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof CallFailure) return CALL_EXITS[error.kind];
  const named = error instanceof Error ? NAMED_EXITS[error.name] : undefined;
  if (named !== undefined) return named;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return UNREACHABLE.includes(code) ? EXIT.unavailable : EXIT.failed;
}
