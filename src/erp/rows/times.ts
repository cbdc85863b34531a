import { type Ahead, isAhead } from '../../domain/ahead.ts';

const TIMES = ['changedAt', 'asOf', 'createdAt'] as const;

/**
 * Replaces times in the future by `instead`.
 * @param servedAt the ERP's time of the answer
 */
export function withoutFuture<T>(
  row: T,
  servedAt: string,
  instead: string,
): { readonly row: T; readonly ahead: readonly Ahead[] } {
  if (typeof row !== 'object' || row === null) return { row, ahead: [] };
  const fields = row as Readonly<Record<string, unknown>>;
  const times = TIMES.filter((name) => typeof fields[name] === 'string' && isAhead(fields[name], servedAt, true));
  if (times.length === 0) return { row, ahead: [] };
  return {
    row: { ...row, ...Object.fromEntries(times.map((time) => [time, instead])) },
    ahead: times.map((time) => ({ row: nameOf(fields), stamp: fields[time] as string })),
  };
}

function nameOf({ id, sku }: Readonly<Record<string, unknown>>): string {
  if (typeof id === 'string') return id;
  return typeof sku === 'string' ? sku : '';
}

/** The two instants of a local time. They differ only in autumn's repeated hour. */
export interface Twice {
  readonly first: string;
  readonly second: string;
}

/** @param local of the years that Temporal knows */
export function instantsOf(local: Temporal.PlainDateTime, zone: string): Twice {
  const at = (disambiguation: 'earlier' | 'later') =>
    local.toZonedDateTime(zone, { disambiguation }).toInstant().toString();
  return { first: at('earlier'), second: at('later') };
}

export function isZone(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
