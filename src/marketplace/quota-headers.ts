import type { IncomingHttpHeaders } from 'node:http';
import type { QuotaHeaders } from './quota.ts';

/** A wait that a server may impose. Longer ones are taken as this. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** Spec 1, Rate limits: what the bare RateLimit headers can only mean where the answer does not name the windows. */
const DOCUMENTED = { perMinute: 300, perSecond: 8 } as const;

/**
 * What an answer says about the quota (spec 1, Rate limits).
 * `RateLimit-Limit` and its kin do not name their window: they belong to the one whose limit they equal, or to none.
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

/** Seconds (fractions tolerated) or an HTTP date, measured on the server's own clock where it sent one. */
function readRetryAfter(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  const seconds = secondsMs(text);
  if (seconds !== null) return seconds;
  const until = httpDate(text);
  if (until === null) return null;
  return bounded(until - (httpDate(headers.date ?? '') ?? nowMs));
}

/** RateLimit-Reset: seconds until the quota resets. */
function resetMs(headers: IncomingHttpHeaders): number | null {
  return secondsMs(single(headers['ratelimit-reset']));
}

function secondsMs(text: string): number | null {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? bounded(Number(text) * 1000) : null;
}

function httpDate(text: string): number | null {
  const ms = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), MAX_RETRY_AFTER_MS);
}

/** The leading number, so that `300, 300;w=60` is read too. */
function wholeNumber(value: string | string[] | undefined): number | null {
  const digits = /^\d{1,9}/.exec(single(value))?.[0];
  return digits === undefined ? null : Number(digits);
}

function single(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
}
