/**
 * The failure of a call to the outside, in the few kinds that decide what the queue does next:
 * - `unavailable`: the other side is down or slow (connection, 5xx). Retried with back-off.
 * - `rate-limited`: 429 or no room in the quota. Tried again after `retryAfterMs`, never counted as an attempt.
 * - `credentials`: 401. Everything of that side waits; readiness is false.
 * - `forbidden`: 403. The key lacks the permission for this operation.
 * - `not-found`: 404 (or 405 on a path that was only assumed).
 * - `refused`: any other 4xx. No retry mends it.
 * - `refused-for-now`: refused because of the present state of the other side, such as a lack of stock; `waitsFor` says what may
 *   mend it.
 * - `invalid-answer`: the answer does not fit the documented shape; `path` says where.
 * - `incomplete`: the answer does not say that it is complete. Tried again.
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

/** The kinds of failure that another try does not mend. */
const NEEDS_MENDING: readonly FailureKind[] = [
  'forbidden',
  'not-found',
  'refused',
  'refused-for-now',
  'invalid-answer',
];

/**
 * Whether the request can have taken effect. `not-applied` is a definite no (refused connection, DNS failure,
 * 401, 429 or another 4xx). `unknown` is every other failure after bytes were sent. A write that ended `unknown` is looked up
 * before it is repeated. It is never retried blindly.
 */
export type Outcome = 'not-applied' | 'unknown';

/** The side that failed. Redis keeps the quota, without which no call is sent. */
export type Side = 'marketplace' | 'erp' | 'redis';

/** The changes that a refusal for now can wait for. `time`: it passes by itself, or nobody knows what mends it. */
export const AWAITED = ['stock', 'product', 'time'] as const;

/** The change that may mend a refusal. */
export interface WaitsFor {
  readonly what: (typeof AWAITED)[number];
  /** The products whose stock or data it is; null: those of the refused write. */
  readonly skus: readonly string[] | null;
}

/** A record that somebody else has locked: the queries by which the owner of the database finds and ends the session. */
export interface Lock {
  readonly shownBy: string;
  readonly endedBy: string;
}

/** A lock that a write meets again and again. */
export interface MetLock {
  /** The ISO time of its first refusal. */
  readonly since: string;
  /** The number of its refusals. */
  readonly refusals: number;
}

export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly side: Side;
  readonly kind: FailureKind;
  readonly outcome: Outcome;
  /** HTTP status, when there was an answer. */
  readonly status: number | null;
  /** How long the other side asked us to wait, from the moment its answer arrived. */
  readonly retryAfterMs: number | null;
  /**
   * Only for the kind `invalid-answer`: the path of the value in the answer that does not fit, such as
   * `results[3].line_items[0].quantity`.
   */
  readonly path: string | null;
  /** Only for the kind `refused-for-now`. */
  readonly waitsFor: WaitsFor | null;
  /** The call was a read, which changes nothing. */
  readonly ofRead: boolean;
  /** This program lacked the means to make the call (file descriptors), so it tells nothing of the side. */
  readonly isOurs: boolean;
  /** A record was locked by somebody else. The side is well, and other records may be free. */
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

/** Another try does not mend this failure. A person has to. */
export function needsMending(error: unknown): error is CallFailure {
  return error instanceof CallFailure && NEEDS_MENDING.includes(error.kind);
}
