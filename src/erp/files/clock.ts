import { instantNs } from '../../domain/instant.ts';

/** Microseconds since 1970, rounded down; 0 for an invalid instant. */
export function usOf(instant: string): number {
  const ns = instantNs(instant);
  return ns === null ? 0 : Number(ns / 1_000n);
}

/** ISO 8601 in UTC, to the microsecond. */
export function instantOf(us: number): string {
  const second = new Date(Math.floor(us / 1_000_000) * 1_000).toISOString().slice(0, 19);
  return `${second}.${String(us % 1_000_000).padStart(6, '0')}Z`;
}
