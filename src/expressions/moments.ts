import { dateOf, patternProblem, patternRegex, written } from './date-pattern.ts';

/** A time with a zone at its end. */
const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/i;
/** Seconds since 1970 have up to 11 digits, milliseconds more. */
const EPOCH = /^\d{1,16}(?:\.\d{1,9})?$/;

/**
 * `$instant("2026-01-31 08:30:00", "Europe/Berlin")` is "2026-01-31T07:30:00Z". A time without a zone is in the given
 * zone, default UTC. A date means its midnight. Digits are seconds or milliseconds since 1970. A missing value stays
 * missing. A pattern describes any other form: `dd.MM.yyyy HH:mm`.
 */
export function instantOf(value: unknown, zone: unknown, pattern?: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || value === false) return undefined;
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  try {
    const named = typeof zone === 'string' ? zone : 'UTC';
    if (typeof pattern === 'string') return patterned(text, named, pattern);
    if (EPOCH.test(text)) return epoch(text);
    const iso = text.replace(/^(\d{4}-\d\d-\d\d)[ T]/, '$1T').replace(/ (?=[+-]\d\d:?\d\d$|Z$)/, '');
    if (ZONED.test(iso) && iso.includes('T')) return Temporal.Instant.from(iso).toString();
    return Temporal.PlainDateTime.from(iso).toZonedDateTime(named).toInstant().toString();
  } catch {
    throw new Error(`${JSON.stringify(value)} is no time${typeof zone === 'string' ? ` in the zone ${zone}` : ''}`);
  }
}

function patterned(text: string, zone: string, pattern: string): string {
  const problem = patternProblem(pattern);
  const groups = problem === null ? patternRegex(pattern, true).exec(text)?.groups : undefined;
  if (groups === undefined) throw new RangeError(problem ?? 'it is written otherwise');
  return dateOf(groups).toZonedDateTime(zone).toInstant().toString();
}

/** `$local("2026-01-31T07:30:00Z", "Europe/Berlin")` is "2026-01-31T08:30:00", or in the form of the pattern. */
export function localOf(value: unknown, zone: unknown, pattern?: unknown): string | undefined {
  const instant = instantOf(value, 'UTC');
  if (instant === undefined) return undefined;
  const named = typeof zone === 'string' ? zone : 'UTC';
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(named).toPlainDateTime();
  return typeof pattern === 'string' ? written(local, pattern) : local.toString({ smallestUnit: 'second' });
}

/** `$before(a, b)`: is `a` surely before `b`? False for texts that are no times. */
export function isBeforeText(a: unknown, b: unknown): boolean {
  try {
    const [one, other] = [instantOf(a, 'UTC'), instantOf(b, 'UTC')];
    return one !== undefined && other !== undefined && Temporal.Instant.compare(one, other) < 0;
  } catch {
    return false;
  }
}

function epoch(digits: string): string {
  const [whole = '0', fraction = ''] = digits.split('.');
  const ns =
    whole.length > 11
      ? BigInt(whole) * 1_000_000n
      : BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
  return Temporal.Instant.fromEpochNanoseconds(ns).toString();
}
