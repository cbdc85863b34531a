import type { IncomingHttpHeaders } from 'node:http';
import { readRetryAfter, secondsMs } from '../http/retry-after.ts';

/**
 * The purpose of a call, most urgent first: a call of an earlier lane never waits behind calls of a later one.
 * - `operator`: a single act of a person, who waits for it
 * - `read`: the page of a list; no write is in this lane, so no backlog of writes keeps a list from being read
 * - `new-order`: an order that the ERP does not have yet
 * - `webhook`, `poll`: what a read found
 * - `backfill`: bulk, such as an approved plan, a replay of many jobs, or the daily pass
 * - `follow-up`: only tells the marketplace that the ERP has an order
 */
export const LANES = ['operator', 'read', 'new-order', 'webhook', 'poll', 'backfill', 'follow-up'] as const;
export type Lane = (typeof LANES)[number];

/** The lane of the calls of a read that was asked for in this lane. The daily pass has time. */
export function laneOfRead(askedIn: Lane): Lane {
  return askedIn === 'backfill' ? askedIn : 'read';
}

/** The statements of an answer about the quota (spec 1, Rate limits). null: the answer did not say. */
export interface QuotaHeaders {
  readonly status: number;
  /** Counted from the moment at which the answer arrived. */
  readonly retryAfterMs: number | null;
  readonly limitPerMinute: number | null;
  readonly remainingPerMinute: number | null;
  readonly limitPerSecond: number | null;
  readonly remainingPerSecond: number | null;
}

/** The permission to send one call now. The call must have arrived by the date of the grant. */
export interface Grant {
  /** True when the call could arrive after that date: it must not be sent any more. */
  isLate(): boolean;
  /** Gives the grant back unused. @throws CallFailure `unavailable` when Redis does not answer */
  giveBack(): Promise<void>;
}

/** The grant of a marketplace without a quota. */
export const UNLIMITED: Grant = { isLate: () => false, giveBack: async () => {} };

/** Stands in front of every call, so that all processes together stay within the quota. */
export interface Governor {
  /**
   * Resolves when one call may be sent now. A caller that does something else before the call leaves checks afterwards whether
   * the grant is still good.
   * @param patienceMs the longest wait of the caller; left out: the longest wait that the governor allows
   * @throws CallFailure `rate-limited`, `not-applied`, with `retryAfterMs`, when the wait would be long.
   */
  acquire(lane: Lane, signal?: AbortSignal, patienceMs?: number): Promise<Grant>;
  /**
   * Takes in the quota headers of an answer: a 429 closes the gate for everybody, and a lower remainder is believed. The
   * client waits for it before it hands the answer on, so it settles within a bounded time in any state of Redis.
   */
  observe(headers: QuotaHeaders): Promise<void>;
}

/** Spec 1, Rate limits: the meaning of RateLimit headers in an answer that does not name the windows. */
const DOCUMENTED = { perMinute: 300, perSecond: 8 } as const;

/**
 * The statements of an answer about the quota (spec 1, Rate limits). `RateLimit-Limit` and its companions do not name their
 * window. They belong to the window whose limit they equal, or to none.
 * @param nowMs when the answer arrived, for a Retry-After that is a date and an answer without a Date
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
