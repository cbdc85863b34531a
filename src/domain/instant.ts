const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:?\d\d)?$/;
const NS_PER_MS = 1_000_000n;
const NS_PER_SECOND = 1_000_000_000n;

/**
 * Nanoseconds since 1970 of an ISO 8601 date-time with any number of fraction digits; null when it is not one.
 * A date-time without a zone is read as UTC.
 */
export function instantNs(text: string): bigint | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, minute = '', second = '00', fraction = '', zone = 'Z'] = match;
  const ms = Date.parse(`${minute}:${second}${zone}`);
  if (Number.isNaN(ms)) return null;
  return BigInt(ms) * NS_PER_MS + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

/** An instant in UTC, on a day that every month has. Two of the same length are in the order of their texts. */
const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** Is `a` surely before `b`? The answer is no for equal instants, and for a text that is no instant. */
export function isBefore(a: string, b: string): boolean {
  if (a.length === b.length && PLAIN.test(a) && PLAIN.test(b)) return a < b;
  const [first, second] = [instantNs(a), instantNs(b)];
  return first !== null && second !== null && first < second;
}

/** The earlier of two instants, as it is written. */
export function earlier(a: string, b: string): string {
  return isBefore(b, a) ? b : a;
}

/** The later of two instants, as it is written. */
export function later(a: string, b: string): string {
  return isBefore(a, b) ? b : a;
}

/** The dates of two answers that cross on their way differ by less than this. */
const CROSSING_MS = 600_000;

/**
 * Did a later answer, dated `known`, overtake an answer dated `text`? Answers that cross differ by little. A larger difference
 * shows that a clock was set back, so the answer is believed, unless it was asked for before the later answer came.
 */
export function isOvertaken(text: string, known: string, wasAskedBefore = false): boolean {
  return isBefore(text, known) && (wasAskedBefore || !isBefore(text, minusMs(known, CROSSING_MS)));
}

/** `text` moved back by `ms`, as ISO 8601 UTC, cut to microseconds. A text that is no instant stays as it is. */
export function minusMs(text: string, ms: number): string {
  const ns = instantNs(text);
  if (ns === null) return text;
  const moved = ns - BigInt(Math.round(ms)) * NS_PER_MS;
  const fraction = ((moved % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
  const second = new Date(Number((moved - fraction) / NS_PER_MS)).toISOString().slice(0, 19);
  return `${second}.${String(fraction).padStart(9, '0').slice(0, 6)}Z`;
}
