import type { IncomingHttpHeaders } from 'node:http';
import { readRetryAfter, secondsMs } from '../http/retry-after.ts';
import type { QuotaHeaders } from './quota.ts';

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
