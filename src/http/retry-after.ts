import type { IncomingHttpHeaders } from 'node:http';

const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/**
 * The wait that an answer asks for, in milliseconds: from seconds (fractions tolerated) or an HTTP date, by the
 * server's clock if the answer has a Date. null: missing or unreadable.
 * @param nowMs when the answer arrived
 */
export function readRetryAfter(headers: IncomingHttpHeaders, nowMs: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  const seconds = secondsMs(text);
  if (seconds !== null) return seconds;
  const until = httpDate(text);
  if (until === null) return null;
  return bounded(until - (httpDate(headers.date ?? '') ?? nowMs));
}

/** The largest assumed difference between two clocks. */
const DAY_MS = 24 * 60 * 60_000;

/** The server's clock at its answer, as ISO 8601. Without a Date: the latest time that it may have shown. */
export function servedAt(headers: IncomingHttpHeaders, nowMs: number): string {
  return new Date(httpDate(headers.date ?? '') ?? nowMs + DAY_MS).toISOString();
}

/** null: not a number of seconds. */
export function secondsMs(text: string): number | null {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? bounded(Number(text) * 1000) : null;
}

function httpDate(text: string): number | null {
  const ms = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), MAX_RETRY_AFTER_MS);
}
