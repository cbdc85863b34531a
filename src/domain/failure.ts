/**
 * Kinds of failed calls to a side. The kind decides what the queue does next:
 * - `unavailable`: the side is down or slow (connection, 5xx). Retried with back-off.
 * - `rate-limited`: 429, or the quota is used up. Retried after `retryAfterMs`, not counted as an attempt.
 * - `credentials`: 401. All work for that side waits; readiness is false.
 * - `forbidden`: 403. The key lacks the permission for this operation.
 * - `not-found`: 404, or 405 on a path that was only assumed.
 * - `refused`: any other 4xx. Not retried.
 * - `refused-for-now`: refused because of the side's state, such as a lack of stock. `waitsFor` says what may resolve
 * it.
 * - `invalid-answer`: the answer does not fit the documented shape. `path` says where.
 * - `incomplete`: the answer does not say that it is complete. Retried.
 */
export type FailureKind =
  | 'unavailable'
  | 'rate-limited'
  | 'credentials'
  | 'forbidden'
  | 'not-found'
  | 'refused'
  | 'refused-for-now'
  | 'invalid-answer'
  | 'incomplete';

const NEEDS_MENDING: readonly FailureKind[] = [
  'forbidden',
  'not-found',
  'refused',
  'refused-for-now',
  'invalid-answer',
];

/**
 * Whether the request may have taken effect. `not-applied`: certainly not (connection refused, DNS failure, 401, 429 or
 * another 4xx). `unknown`: any other failure after bytes were sent. Such a write is looked up before it is repeated.
 */
export type Outcome = 'not-applied' | 'unknown';

/** Redis is a side because it holds the quota, without which no call is sent. */
export type Side = 'marketplace' | 'erp' | 'redis';

/** What a refused write can wait for. `time`: the refusal ends without a change, or its remedy is unknown. */
export const AWAITED = ['stock', 'product', 'time'] as const;

export interface WaitsFor {
  readonly what: (typeof AWAITED)[number];
  /** The products whose stock or data must change. null: those of the refused write. */
  readonly skus: readonly string[] | null;
}

/** A locked record: the database queries that find and end the session holding the lock. */
export interface Lock {
  readonly shownBy: string;
  readonly endedBy: string;
}

export interface MetLock {
  /** ISO 8601 time of the first refusal. */
  readonly since: string;
  readonly refusals: number;
}

export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly side: Side;
  readonly kind: FailureKind;
  readonly outcome: Outcome;
  /** HTTP status, if there was an answer. */
  readonly status: number | null;
  /** The wait that the side asked for, counted from the arrival of its answer. */
  readonly retryAfterMs: number | null;
  /** For `invalid-answer`: the path of the invalid value, such as `results[3].line_items[0].quantity`. */
  readonly path: string | null;
  /** Only for `refused-for-now`. */
  readonly waitsFor: WaitsFor | null;
  readonly ofRead: boolean;
  /** This machine lacked resources for the call (file descriptors). The failure says nothing about the side. */
  readonly isOurs: boolean;
  /** Another session locked the record. Other records may be free. */
  readonly lock: Lock | null;

  constructor(
    message: string,
    facts: Pick<CallFailure, 'side' | 'kind' | 'outcome'> &
      Partial<
        Pick<CallFailure, 'status' | 'retryAfterMs' | 'path' | 'waitsFor' | 'ofRead' | 'isOurs' | 'lock' | 'cause'>
      >,
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.side = facts.side;
    this.kind = facts.kind;
    this.outcome = facts.outcome;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.path = facts.path ?? null;
    this.waitsFor = facts.waitsFor ?? null;
    this.ofRead = facts.ofRead ?? false;
    this.isOurs = facts.isOurs ?? false;
    this.lock = facts.lock ?? null;
  }
}

/** A person has to act, because a retry does not resolve the failure. */
export function needsMending(error: unknown): error is CallFailure {
  return error instanceof CallFailure && NEEDS_MENDING.includes(error.kind);
}
