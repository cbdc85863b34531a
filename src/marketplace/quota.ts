import type { IncomingHttpHeaders } from 'node:http';
import { readRetryAfter, secondsMs } from '../http/retry-after.ts';

/**
 * The purpose of a call, most urgent first. A call never waits behind calls of a later lane.
 * - `operator`: a single act of a person who waits
 * - `read`: a page of a list. It has no writes, so no backlog of writes delays reading
 * - `new-order`: an order that the ERP does not have yet
 * - `webhook`, `poll`: what a read found
 * - `backfill`: bulk, such as an approved plan, a replay of many jobs, or the daily pass
 * - `follow-up`: only tells the marketplace that the ERP has an order
 */
export const LANES = ['operator', 'read', 'new-order', 'webhook', 'poll', 'backfill', 'follow-up'] as const;
export type Lane = (typeof LANES)[number];

export function laneOfRead(askedIn: Lane): Lane {
  return askedIn === 'backfill' ? askedIn : 'read';
}

/** What an answer says about the quota (spec 1, Rate limits). null: nothing. */
export interface QuotaHeaders {
  readonly status: number;
  /** From the arrival of the answer. */
  readonly retryAfterMs: number | null;
  readonly limitPerMinute: number | null;
  readonly remainingPerMinute: number | null;
  readonly limitPerSecond: number | null;
  readonly remainingPerSecond: number | null;
}

/** The permission to send one call now. It must arrive before the date of the grant. */
export interface Grant {
  /** The call could arrive after that date, so it must not be sent. */
  isLate(): boolean;
  /** Returns an unused grant. @throws CallFailure `unavailable` when Redis does not answer */
  giveBack(): Promise<void>;
}

export const UNLIMITED: Grant = { isLate: () => false, giveBack: async () => {} };

/** Admits calls so that all processes together stay within the quota. */
export interface Governor {
  /**
   * Check `isLate` after any other work before the call.
   * @param patienceMs the longest wait; default: that of the governor
   * @throws CallFailure `rate-limited`, `not-applied`, with `retryAfterMs`, when the wait would be longer.
   */
  acquire(lane: Lane, signal?: AbortSignal, patienceMs?: number): Promise<Grant>;
  /**
   * A 429 closes the gate for all, and a lower remainder is accepted. The client waits for it before it returns the
   * answer, so it must settle within a bounded time whatever Redis does.
   */
  observe(headers: QuotaHeaders): Promise<void>;
}

/** Spec 1, Rate limits: the limits of headers that do not name their window. */
const DOCUMENTED = { perMinute: 300, perSecond: 8 } as const;

/**
 * Spec 1, Rate limits. `RateLimit-Limit` and its companions do not name their window: they belong to the one with that
 * limit, or to none.
 * @param nowMs when the answer arrived, for a Retry-After date in an answer without a Date
 */
export function readQuotaHeaders(status: number, headers: IncomingHttpHeaders, nowMs: number): QuotaHeaders {
  const limitPerMinute = wholeNumber(headers['x-ratelimit-limit-minute']);
  const limitPerSecond = wholeNumber(headers['x-ratelimit-limit-second']);
  const limit = wholeNumber(headers['ratelimit-limit']);
  const remaining = wholeNumber(headers['ratelimit-remaining']);
  const isMinute = limit !== null && limit === (limitPerMinute ?? DOCUMENTED.perMinute);
  const isSecond = limit !== null && !isMinute && limit === (limitPerSecond ?? DOCUMENTED.perSecond);
  return {
    status,
    retryAfterMs: readRetryAfter(headers, nowMs) ?? (status === 429 ? resetMs(headers) : null),
    limitPerMinute: limitPerMinute ?? (isMinute ? limit : null),
    remainingPerMinute: wholeNumber(headers['x-ratelimit-remaining-minute']) ?? (isMinute ? remaining : null),
    limitPerSecond: limitPerSecond ?? (isSecond ? limit : null),
    remainingPerSecond: wholeNumber(headers['x-ratelimit-remaining-second']) ?? (isSecond ? remaining : null),
  };
}

/** RateLimit-Reset: seconds until the quota resets. */
function resetMs(headers: IncomingHttpHeaders): number | null {
  return secondsMs(single(headers['ratelimit-reset']));
}

/** The leading number of a header, as in `300, 300;w=60`. */
function wholeNumber(value: string | string[] | undefined): number | null {
  const digits = /^\d{1,9}/.exec(single(value))?.[0];
  return digits === undefined ? null : Number(digits);
}

function single(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
}
