import { ConfigError } from '../config/problem.ts';
import { errorCode } from '../domain/error-code.ts';
import { CallFailure, type FailureKind } from '../domain/failure.ts';

/** An invalid request. `message` says what to send instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The configuration has no such account. */
export class UnknownAccount extends UsageError {}

/** The account's configuration cannot be used. `message` says why. */
export class AccountUnusable extends Error {
  override readonly name = 'AccountUnusable';
}

/** The named job, entity or account does not exist, or the name is ambiguous. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** A valid request that the current state forbids. `message` says why. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The kinds of failure that callers distinguish, as by exit code. `failed` is any other. */
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

/** By error name, so that a fault is reported without loading the database or Redis. */
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

/** Codes of an unreachable server. Failed calls have their own error, so it is Redis. */
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
