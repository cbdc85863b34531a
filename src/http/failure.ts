import { CallFailure, type FailureKind, type Lock, type Outcome, type Side, type WaitsFor } from '../domain/failure.ts';
import { withoutSecret } from '../logging/redaction.ts';
import { isOutOfDescriptors, outOfDescriptorsText } from '../machine/descriptors.ts';
import type { Broken } from './exchange.ts';

export interface FailedCall {
  readonly side: Side;
  /** The call changes nothing, so its outcome is never in doubt. */
  readonly isRead: boolean;
  /** The key or token. No message may contain it, even if the other side repeats it. */
  readonly secret: string;
  /** The end of the message of a write that may have been applied. */
  readonly doubt: string;
}

export interface Meaning {
  readonly kind: FailureKind;
  readonly maybeApplied: boolean;
}

const NO: Readonly<Record<number, FailureKind>> = {
  401: 'credentials',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-found',
  408: 'unavailable',
  429: 'rate-limited',
};

export function meaningOfStatus(status: number): Meaning {
  if (status >= 500) return { kind: 'unavailable', maybeApplied: true };
  // 302 and 303 may also mean "done, see there".
  return { kind: NO[status] ?? 'refused', maybeApplied: status === 302 || status === 303 };
}

export function meaningOfBreak({ code, sent }: Broken): Meaning {
  if (code === 'TOO_LONG') return { kind: 'invalid-answer', maybeApplied: true };
  return { kind: code === 'UND_ERR_INVALID_ARG' ? 'refused' : 'unavailable', maybeApplied: sent };
}

/** A 2xx answer with an invalid shape: the write was probably applied. */
export const INVALID_ANSWER: Meaning = { kind: 'invalid-answer', maybeApplied: true };

export interface Facts {
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  readonly path?: string;
  readonly waitsFor?: WaitsFor | null;
  readonly isOurs?: boolean;
  readonly lock?: Lock;
}

const AGAIN_MS = 1_000;

/**
 * null: the failure has another cause. A call without a file descriptor is retried soon: as without room in the quota,
 * neither the side nor the job is at fault.
 */
export function withoutDescriptor(call: FailedCall, code: string): CallFailure | null {
  if (!isOutOfDescriptors(code)) return null;
  const text = `${outOfDescriptorsText(code)} Nothing was sent.`;
  return callFailure(call, { kind: 'rate-limited', maybeApplied: false }, text, {
    isOurs: true,
    retryAfterMs: AGAIN_MS,
  });
}

export function callFailure(
  { side, isRead, secret, doubt }: FailedCall,
  { kind, maybeApplied }: Meaning,
  text: string,
  facts: Facts = {},
): CallFailure {
  const outcome: Outcome = maybeApplied && !isRead ? 'unknown' : 'not-applied';
  const message = withoutSecret(outcome === 'unknown' ? text + doubt : text, secret);
  return new CallFailure(message, { side, kind, outcome, ofRead: isRead, ...facts });
}
