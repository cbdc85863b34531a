import { ConfigError } from '../config/problem.ts';
import { errorCode } from '../domain/error-code.ts';
import { CallFailure, type FailureKind } from '../domain/failure.ts';

/** The request is invalid. `message` says what to send instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The configuration has no account of this name. */
export class UnknownAccount extends UsageError {}

/** The account is configured, but its configuration cannot be used. `message` says why. */
export class AccountUnusable extends Error {
  override readonly name = 'AccountUnusable';
}

/** The named job, entity or account is not there, or the name fits several. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** The request is valid, but the current state forbids it. `message` says why. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The kinds of failure that a caller tells apart: as exit codes in the terminal. `failed` is anything else. */
export type Fault = 'failed' | 'usage' | 'unavailable' | 'tryAgain' | 'credentials' | 'configuration';

const CALL_FAULTS: Record<FailureKind, Fault> = {
  unavailable: 'unavailable',
  'rate-limited': 'tryAgain',
  credentials: 'credentials',
  forbidden: 'credentials',
  'not-found': 'failed',
  refused: 'failed',
  'refused-for-now': 'tryAgain',
  'invalid-answer': 'failed',
  incomplete: 'tryAgain',
};

/** Faults by the names of their errors: reporting a fault then loads neither the database nor Redis. */
const NAMED_FAULTS: Readonly<Record<string, Fault>> = {
  LockHeldError: 'tryAgain',
  WorkedElsewhereError: 'tryAgain',
  WorkInProgress: 'tryAgain',
  TaskRunning: 'tryAgain',
  TooManyListen: 'tryAgain',
  NoRedisError: 'unavailable',
  Interrupted: 'tryAgain',
  NewerVersionError: 'configuration',
  AccountUnusable: 'configuration',
};

/** Codes of a server that could not be reached. Failed calls have an error of their own, so the server is Redis. */
const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
];

export function faultOf(error: unknown): Fault {
  if (error instanceof ConfigError) return 'configuration';
  if (error instanceof UsageError) return 'usage';
  if (error instanceof CallFailure) return CALL_FAULTS[error.kind];
  const named = error instanceof Error ? NAMED_FAULTS[error.name] : undefined;
  if (named !== undefined) return named;
  const code = errorCode(error) ?? '';
  return UNREACHABLE.includes(code) ? 'unavailable' : 'failed';
}
