import { patternRegex } from '../../expressions/date-pattern.ts';
import { BOUNDS, type Field, type FieldType, field } from './shape.ts';

/** What sample values tell about their field. Pure. */

/** Time formats other than ISO 8601. The first that fits all values counts. */
const PATTERNS = [
  'dd.MM.yyyy HH:mm:ss',
  'dd.MM.yyyy HH:mm',
  'dd.MM.yyyy',
  'MM/dd/yyyy HH:mm:ss',
  'MM/dd/yyyy HH:mm',
  'MM/dd/yyyy',
  'yyyyMMddHHmmss',
].map((pattern) => ({ pattern, regex: patternRegex(pattern, true) }));

/** With a zone, in local time, by a pattern, or as a count since 1970. */
export type TimeStyle =
  | { readonly by: 'zoned' | 'local' | 'seconds' | 'milliseconds' }
  | { readonly by: 'pattern'; readonly pattern: string };

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?/;
const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/** null: no times, or no values. */
export function timeStyle(samples: readonly string[]): TimeStyle | null {
  if (samples.length === 0) return null;
  const all = (fits: (text: string) => boolean) => samples.every(fits);
  if (all((text) => ISO.test(text) && text.length < 40))
    return { by: all((text) => text.length > 10 && ZONE.test(text.slice(10))) ? 'zoned' : 'local' };
  const { pattern } = PATTERNS.find(({ regex }) => all((text) => regex.test(text))) ?? {};
  if (pattern !== undefined) return { by: 'pattern', pattern };
  if (all((text) => /^1\d{9}$/.test(text))) return { by: 'seconds' };
  return all((text) => /^1\d{12}$/.test(text)) ? { by: 'milliseconds' } : null;
}

export function typeOf(samples: readonly string[]): FieldType {
  const all = (regex: RegExp) => samples.every((text) => regex.test(text));
  if (samples.length === 0) return 'unknown';
  if (all(/^(?:true|false)$/i)) return 'flag';
  // A count since 1970 is a number until its name says that it is a time.
  if (all(/^-?\d{1,18}$/)) return 'whole';
  if (all(/^-?\d{1,18}(?:\.\d{1,18})?$/)) return 'decimal';
  return timeStyle(samples) === null ? 'text' : 'time';
}

/** The fields of sampled rows. Nested objects are flattened, and a list has its elements' fields. */
export function fieldsSeen(rows: readonly unknown[], depth = 0): Field[] {
  const seen = new Map<string, { path: readonly string[]; values: unknown[] }>();
  for (const row of rows) collect(row, [], seen);
  return [...seen.values()].map(({ path, values }) => fieldSeen(path, values, rows.length, depth));
}

function collect(
  row: unknown,
  at: readonly string[],
  seen: Map<string, { path: readonly string[]; values: unknown[] }>,
): void {
  if (!isObject(row) || at.length >= BOUNDS.depth) return;
  for (const [name, value] of Object.entries(row)) {
    const path = [...at, name];
    if (isObject(value)) {
      collect(value, path, seen);
      continue;
    }
    const key = JSON.stringify(path);
    const known = seen.get(key);
    if (known !== undefined) known.values.push(value);
    else if (seen.size < BOUNDS.fields) seen.set(key, { path, values: [value] });
  }
}

function fieldSeen(path: readonly string[], values: readonly unknown[], rows: number, depth: number): Field {
  const filled = values.filter((value) => value !== undefined && value !== null && value !== '');
  const nullable = filled.length < rows;
  const elements = filled.filter(Array.isArray).flat();
  if (elements.some(isObject) && depth < BOUNDS.depth)
    return field(path, { type: 'list', nullable, fields: fieldsSeen(elements.slice(0, BOUNDS.rows), depth + 1) });
  const texts = filled.filter((value) => typeof value !== 'object').map(String);
  return field(path, {
    type: typeOf(texts),
    nullable,
    unique: texts.length < 2 ? null : new Set(texts).size === rows,
    samples: boundedSamples(texts),
  });
}

/** The distinct values, bounded. */
export function boundedSamples(texts: readonly string[]): string[] {
  return [...new Set(texts.slice(0, 1_000).map((text) => text.slice(0, BOUNDS.characters)))].slice(0, BOUNDS.samples);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The decoded part of an address, or the part itself if it is badly encoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
