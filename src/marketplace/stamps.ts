import { isAhead, namesZone, UNDATED } from '../domain/ahead.ts';

/** The fields that lists are read by, under every name that records have for them. */
const CHANGED = ['modified', 'modified_date'] as const;
const MADE = ['created_on', 'created_date'] as const;

type Row = Readonly<Record<string, unknown>>;

/** The times that a page can have. */
export interface Clock {
  readonly servedAt: string;
  /** The fields in which this list names zones. A row without a zone in such a field is in the same zone as the others. */
  readonly zoned: readonly string[];
}

/** @param query may hold a start time, as the server writes times */
export function clockOf(servedAt: string, rows: readonly unknown[], query: Row): Clock {
  const zoned = [...CHANGED, ...MADE].filter((field) => {
    const from = query[`${field}__gte`];
    const times = from === UNDATED ? [] : [from];
    return [...times, ...rows.map((row) => timeIn(row, field))].some((at) => typeof at === 'string' && namesZone(at));
  });
  return { servedAt, zoned };
}

/**
 * The row without its times in the future. So no reading ever begins at such a time, and no later answer counts as older. A row
 * may have to carry the time of its change, so that time is replaced.
 * @param ahead the names of the times in the future
 */
export function dated<T>(row: T, ahead: readonly string[]): T {
  return without(row, ahead, UNDATED);
}

/** The same for a row that may not fit: its times in the future become null. */
export function datedRaw(row: unknown, ahead: readonly string[]): unknown {
  return without(row, ahead, null);
}

function without<T>(row: T, fields: readonly string[], changed: string | null): T {
  if (fields.length === 0) return row;
  const isMade = (field: string) => (MADE as readonly string[]).includes(field);
  return { ...row, ...Object.fromEntries(fields.map((field) => [field, isMade(field) ? null : changed])) };
}

/** The names of a row's times that lie in the future. */
export function fieldsAhead(row: unknown, { servedAt, zoned }: Clock): string[] {
  return [...CHANGED, ...MADE].filter((field) => {
    const value = timeIn(row, field);
    return typeof value === 'string' && isAhead(value, servedAt, zoned.includes(field));
  });
}

export function timeIn(row: unknown, field: string): unknown {
  return typeof row === 'object' && row !== null && Object.hasOwn(row, field) ? (row as Row)[field] : undefined;
}
