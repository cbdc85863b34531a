import { isAhead, UNDATED } from '../domain/ahead.ts';

/** The fields that lists are read by, and those of the records that have other names for them. */
const CHANGED = ['modified', 'modified_date'] as const;
const MADE = ['created_on', 'created_date'] as const;

type Row = Readonly<Record<string, unknown>>;

/**
 * A row without its times that lie in the future: nothing is read from such a time on, and no later answer counts as older. A
 * row may have to carry the time of its change, so that one is replaced.
 */
export function dated<T>(row: T, servedAt: string): T {
  return without(row, servedAt, UNDATED);
}

/** The same for a row that need not fit: it has no such time. */
export function datedRaw(row: unknown, servedAt: string): unknown {
  return without(row, servedAt, null);
}

/** The times of a row that lie in the future. */
export function aheadOf(row: unknown, servedAt: string): string[] {
  return fieldsAhead(row, servedAt).map((field) => String((row as Row)[field]));
}

function without<T>(row: T, servedAt: string, changed: string | null): T {
  const fields = fieldsAhead(row, servedAt);
  if (fields.length === 0) return row;
  const isMade = (field: string) => (MADE as readonly string[]).includes(field);
  return { ...row, ...Object.fromEntries(fields.map((field) => [field, isMade(field) ? null : changed])) };
}

function fieldsAhead(row: unknown, servedAt: string): string[] {
  if (typeof row !== 'object' || row === null) return [];
  return [...CHANGED, ...MADE].filter((field) => {
    const value = Object.hasOwn(row, field) ? (row as Row)[field] : undefined;
    return typeof value === 'string' && isAhead(value, servedAt);
  });
}
