import { Exact } from '../exact.ts';
import type { Answer, Call, Handler } from './call.ts';
import { parseInstant } from './instants.ts';
import type { Market } from './market.ts';
import { type Fields, invalid } from './wire-values.ts';

export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** null: the value does not matter. */
export type Filter = (value: unknown, all: Fields, market: Market) => Condition | null;

/** A collection for lists. */
export interface Listed {
  /** A table or a subselect with its columns. */
  readonly source: string;
  readonly sqlOf: (attribute: string) => string;
  readonly isTime: (attribute: string) => boolean;
  /** The SQL texts that `search` covers. */
  readonly searched: readonly string[];
  /** Filters not derived from their names. */
  readonly filters: Readonly<Record<string, Filter>>;
  readonly ordering: string;
}

export interface Page<Row> {
  readonly count: number;
  readonly rows: readonly Row[];
}

/** A page of the scope's rows that pass the filters. */
export function listPage<Row extends { readonly id: number }>(
  market: Market,
  listed: Listed,
  { query, window }: Pick<Call, 'query' | 'window'>,
  scope: readonly Condition[],
): Page<Row> {
  const settings = market.settings();
  const filters = settings.filters === 'ignored' ? {} : query;
  const asked = Object.entries(filters).map(([name, value]) => {
    const own = Object.hasOwn(listed.filters, name) ? listed.filters[name] : undefined;
    return own === undefined ? conditionOf(listed, name, value) : own(value, filters, market);
  });
  const { source, sqlOf } = listed;
  const conditions = [...scope, ...asked.filter((each) => each !== null)];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  const values = conditions.flatMap((condition) => condition.values);
  const count = market.sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${source}${where}`, ...values)?.n ?? 0;
  const ordering = (settings.ordering === 'ignored' ? null : window.ordering) ?? listed.ordering;
  const direction = ordering.startsWith('-') ? 'DESC' : 'ASC';
  const by = `${sqlOf(ordering.replace(/^-/, ''))} ${direction}, ${tieBreaker(market, direction)}`;
  // Ids come from an index alone, so a far page reads no rows before it.
  const ids = market.sql.all<{ id: number }>(
    `SELECT id FROM ${source}${where} ORDER BY ${by} LIMIT ? OFFSET ?`,
    ...values,
    window.limit,
    window.offset,
  );
  const wanted = JSON.stringify(ids.map(({ id }) => id));
  const rows = market.sql.all<Row>(`SELECT * FROM ${source} WHERE id IN (SELECT value FROM json_each(?))`, wanted);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { count, rows: ids.flatMap(({ id }) => byId.get(id) ?? []) };
}

/** Ties are sorted by id, or in a changing order. */
function tieBreaker(market: Market, direction: 'ASC' | 'DESC'): string {
  if (market.settings().ties !== 'shuffled') return `id ${direction}`;
  return `(id * 7919 + ${market.now() % 10_007} * 104729) % 10007`;
}

/** An attribute without a column is in `fields`, as a value or as {id}. */
export function fieldOf(attribute: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(attribute)) throw invalid('ordering', `${attribute} is no attribute.`);
  return `coalesce(json_extract(fields, '$.${attribute}.id'), json_extract(fields, '$.${attribute}'))`;
}

const COMPARISONS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** An attribute, two underscores and a comparison (spec 2, List filters). */
function conditionOf(listed: Listed, name: string, value: unknown): Condition {
  if (name === 'search') return searchCondition(listed.searched, String(value));
  const [, attribute = name, test] = /^(.+?)(?:__(gt|gte|lt|lte|in|startswith|isnull))?$/.exec(name) ?? [];
  const sql = listed.sqlOf(attribute);
  switch (test) {
    case 'isnull':
      return { sql: `${sql} IS ${value === true ? '' : 'NOT '}NULL`, values: [] };
    case 'startswith':
      return { sql: `${sql} LIKE ? ESCAPE '\\'`, values: [`${escaped(String(value))}%`] };
    case 'in':
      return isIn(sql, severalOf(value));
    case undefined:
      return equality(sql, value);
    default:
      if (listed.isTime(attribute)) return timeComparison(name, `${sql} ${COMPARISONS[test]} ?`, String(value));
      return comparison(sql, COMPARISONS[test] ?? '=', String(value));
  }
}

function equality(sql: string, value: unknown): Condition {
  if (typeof value === 'boolean') return { sql: `coalesce(${sql}, 0) = ?`, values: [value ? 1 : 0] };
  if (Array.isArray(value)) return isIn(sql, value as unknown[]);
  const text = String(value);
  return isIn(sql, /^-?\d+(,-?\d+)+$/.test(text) ? text.split(',') : [text]);
}

/** Sent several times, or once with commas. */
export function severalOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : String(value).split(',');
}

/** Compares as text, so that 7 equals "7". A plain column does so itself and keeps its index. */
export function isIn(sql: string, values: readonly unknown[]): Condition {
  const column = /^\w+$/.test(sql) ? sql : `CAST(${sql} AS TEXT)`;
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values: values.map(String) };
}

function timeComparison(name: string, sql: string, value: string): Condition {
  const at = parseInstant(value);
  if (at === null) throw invalid(name, 'Enter a valid date/time.');
  return { sql, values: [at] };
}

function comparison(sql: string, test: string, value: string): Condition {
  if (/^-?\d+(\.\d+)?$/.test(value)) return { sql: `CAST(${sql} AS REAL) ${test} ?`, values: [Number(value)] };
  return { sql: `julianday(${sql}) ${test} julianday(?)`, values: [value] };
}

function searchCondition(searched: readonly string[], text: string): Condition {
  const pattern = `%${escaped(text)}%`;
  const tests = searched.map((sql) => `${sql} LIKE ? ESCAPE '\\'`);
  return { sql: `(${['0', ...tests].join(' OR ')})`, values: searched.map(() => pattern) };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** A list without pages, sorted by `ordering`. @throws Refusal 400 */
export function wholeList(rows: readonly Fields[], ordering: string | null): Answer {
  const sorted = ordering === null ? rows : inOrder(rows, ordering);
  return { kind: 'rows', count: sorted.length, rows: sorted.map((row) => JSON.stringify(row)) };
}

/** All choices as {value, display_value}. */
export function choices(names: Iterable<string>, valueOf: (name: string) => string): Handler {
  return (_market, { query: { search = '' }, window }) => {
    const wanted = String(search).toLowerCase();
    const found = [...names].filter((name) => name.toLowerCase().includes(wanted));
    return wholeList(
      found.map((name) => ({ value: valueOf(name), display_value: name })),
      window.ordering,
    );
  };
}

function inOrder(rows: readonly Fields[], ordering: string): readonly Fields[] {
  const attribute = ordering.replace(/^-/, '');
  if (rows[0] !== undefined && !(attribute in rows[0])) throw invalid('ordering', `${attribute} is no attribute.`);
  const sign = ordering.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => sign * compared(one[attribute], other[attribute]));
}

/** Compares decimals by value, all else as text. */
function compared(one: unknown, other: unknown): number {
  const [a, b] = [asText(one), asText(other)];
  if (DECIMAL.test(a) && DECIMAL.test(b)) return new Exact(a).comparedTo(b);
  return a < b ? -1 : Number(a > b);
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
