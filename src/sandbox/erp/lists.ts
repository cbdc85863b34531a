import type { Sql } from '../sql.ts';
import { Refusal } from './refusal.ts';

/** A table, its change column, and an optional filter. */
export interface ListSource {
  readonly table: 'products' | 'lots' | 'orders' | 'customers' | 'payments';
  readonly changedColumn: 'changed_ms' | 'stock_changed_ms';
  readonly filter: { readonly sql: string; readonly values: readonly (string | number)[] } | null;
}

export interface ListQuery {
  readonly changed_since?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

export interface ListAnswer<T = unknown> {
  items: T[];
  next: string | null;
  as_of: string;
  complete: boolean;
}

/** The last row returned, and the list's request. */
interface Position {
  readonly table: string;
  readonly sinceMs: number | null;
  readonly changedMs: number;
  readonly n: number;
  readonly asOfMs: number;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/**
 * One page. All rows are sorted by number, changed rows by (changed, number), so that a row that moves during a read
 * comes late or twice but is never missed. The limit is at most 1,000.
 *
 * @throws Refusal 400 for an invalid limit, cursor or time
 */
export function readPage<Row extends { n: number }, T>(
  sql: Sql,
  source: ListSource,
  query: ListQuery,
  nowMs: number,
  record: (row: Row) => T,
): ListAnswer<T> {
  const limit = limitOf(query.limit);
  const start = query.cursor === undefined ? firstPosition(source, query, nowMs) : positionOf(source, query);
  const { text, values } = statement(source, start);
  const rows = sql.all<Row>(text, ...values, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items: shown.map(record),
    next: more ? encode({ ...start, changedMs: changedOf(last, source), n: last.n }) : null,
    as_of: new Date(start.asOfMs).toISOString(),
    complete: !more,
  };
}

function statement(source: ListSource, { sinceMs, changedMs, n }: Position): { text: string; values: unknown[] } {
  const conditions = [sinceMs === null ? 'n > ?' : `(${source.changedColumn}, n) > (?, ?)`];
  const values: unknown[] = sinceMs === null ? [n] : [changedMs, n];
  if (source.filter !== null) {
    conditions.push(source.filter.sql);
    values.push(...source.filter.values);
  }
  const order = sinceMs === null ? 'n' : `${source.changedColumn}, n`;
  return { text: `SELECT * FROM ${source.table} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`, values };
}

function changedOf(row: object, source: ListSource): number {
  return (row as Record<string, number>)[source.changedColumn] ?? 0;
}

function limitOf(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_LIMIT;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Refusal(400, `limit=${text}: expected a number from 1`);
  return Math.min(Number(text), MAX_LIMIT);
}

function firstPosition(source: ListSource, query: ListQuery, nowMs: number): Position {
  const sinceMs = sinceOf(query.changed_since);
  return { table: cursorName(source), sinceMs, changedMs: sinceMs ?? 0, n: -1, asOfMs: nowMs };
}

function sinceOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new Refusal(400, `changed_since=${text}: expected a time like 2030-01-31T08:30:00.000Z`);
  return ms;
}

function positionOf(source: ListSource, query: ListQuery): Position {
  const position = decode(query.cursor ?? '');
  const since = sinceOf(query.changed_since);
  if (position === null || position.table !== cursorName(source) || (since !== null && since !== position.sinceMs)) {
    throw new Refusal(400, 'cursor: not a cursor of this list');
  }
  return position;
}

function cursorName(source: ListSource): string {
  return `${source.table}.${source.changedColumn}`;
}

function encode(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64');
}

function decode(cursor: string): Position | null {
  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64').toString()) as Position;
    return Number.isInteger(position.n) && Number.isInteger(position.changedMs) ? position : null;
  } catch {
    return null;
  }
}
