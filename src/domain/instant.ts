const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?$/;
const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;

/**
 * Nanoseconds since 1970 of an ISO 8601 date-time with any number of fraction digits. Without a zone, UTC. null: not a
 * date-time.
 */
export function instantNs(text: string): bigint | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, minute = '', second = '00', fraction = '', zone = 'Z'] = match;
  const ms = Date.parse(`${minute}:${second}${zone}`);
  if (Number.isNaN(ms)) return null;
  return BigInt(ms) * NS_PER_MS + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** A UTC instant on a day that every month has. Such texts of equal length sort by time. */
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** Returns whether `a` is certainly before `b`. False for equal or invalid instants. */
export function isBefore(a: string, b: string): boolean {
  if (a.length === b.length && PLAIN.test(a) && PLAIN.test(b)) return a < b;
  const [first, second] = [instantNs(a), instantNs(b)];
  return first !== null && second !== null && first < second;
}

export function earlier(a: string, b: string): string {
  return isBefore(b, a) ? b : a;
}

export function later(a: string, b: string): string {
  return isBefore(a, b) ? b : a;
}

/** Answers that overlap on the network differ in their dates by less than this. */
const CROSSING_MS = 600_000;

/**
 * Returns whether the answer dated `known` is newer than the one dated `text`. Overlapping answers differ by little. A
 * larger difference means that the clock was set back, so `text` is accepted, unless it was requested before `known`
 * arrived.
 */
export function isOutdatedBy(text: string, known: string, wasAskedBefore = false): boolean {
  return isBefore(text, known) && (wasAskedBefore || !isBefore(text, minusMs(known, CROSSING_MS)));
}

/** `text` moved back by `ms`, as ISO 8601 UTC, truncated to microseconds. An invalid instant is returned unchanged. */
export function minusMs(text: string, ms: number): string {
  const ns = instantNs(text);
  if (ns === null) return text;
  const moved = ns - BigInt(Math.round(ms)) * NS_PER_MS;
  const fraction = ((moved % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
  const second = new Date(Number((moved - fraction) / NS_PER_MS)).toISOString().slice(0, 19);
  return `${second}.${String(fraction).padStart(9, '0').slice(0, 6)}Z`;
}
