import type { Sql } from '../sql.ts';
import type { Call } from './call.ts';
import { parseInstant } from './instants.ts';
import type { Market } from './market.ts';
import { invalid } from './refusal.ts';
import type { Fields } from './wire-values.ts';

export interface ListQuery {
  /** A table, or a subselect with the same columns. */
  readonly source: string;
  readonly conditions: readonly Condition[];
  readonly order: Order;
  /** Orders rows that are equal in the ordering attribute by another sequence with each number; null: by id. */
  readonly shuffle: number | null;
  readonly limit: number;
  readonly offset: number;
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface Order {
  /** SQL. */
  readonly by: string;
  readonly direction: 'ASC' | 'DESC';
}

/** The SQL condition of a filter's value; null when the value does not matter. */
export type Filter = (value: unknown, all: Fields, market: Market) => Condition | null;

/** A collection that lists are made of. */
export interface Listed {
  /** A table, or a subselect with the same columns. */
  readonly source: string;
  /** An attribute in SQL. */
  readonly sqlOf: (attribute: string) => string;
  readonly isTime: (attribute: string) => boolean;
  /** SQL of the texts that `search` looks in. */
  readonly searched: readonly string[];
  /** Filters whose condition does not follow from their name. */
  readonly filters: Readonly<Record<string, Filter>>;
  readonly ordering: string;
}

export interface Page<Row> {
  readonly count: number;
  readonly rows: readonly Row[];
}

/** A page of a collection: the rows that the filters let through, within the scope. */
export function listPage<Row extends { readonly id: number }>(
  market: Market,
  listed: Listed,
  { query, window }: Pick<Call, 'query' | 'window'>,
  scope: readonly Condition[],
): Page<Row> {
  const settings = market.settings();
  const filters = settings.filters === 'ignored' ? {} : query;
  const asked = Object.entries(filters).map(([name, value]) => {
    const own = listed.filters[name];
    return own === undefined ? conditionOf(listed, name, value) : own(value, filters, market);
  });
  const { source } = listed;
  const conditions = [...scope, ...asked.filter((each) => each !== null)];
  const count = countRows(market.sql, { source, conditions });
  const ordering = settings.ordering === 'ignored' ? null : window.ordering;
  const rows = pageRows<Row>(market.sql, {
    source,
    conditions,
    order: orderOf(ordering ?? listed.ordering, listed.sqlOf),
    shuffle: settings.ties === 'shuffled' ? market.now() % 10_007 : null,
    limit: window.limit,
    offset: window.offset,
  });
  return { count, rows };
}

/** An attribute, with a dash in front for descending, as `sqlOf` writes it in SQL. */
export function orderOf(ordering: string, sqlOf: (attribute: string) => string): Order {
  if (!ordering.startsWith('-')) return { by: sqlOf(ordering), direction: 'ASC' };
  return { by: sqlOf(ordering.slice(1)), direction: 'DESC' };
}

export function countRows(sql: Sql, query: Pick<ListQuery, 'source' | 'conditions'>): number {
  const { where, values } = whereClause(query.conditions);
  return sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${query.source}${where}`, ...values)?.n ?? 0;
}

/** One page of rows. The ids come from an index alone, so that a far page costs no row reads. */
export function pageRows<Row extends { readonly id: number }>(sql: Sql, query: ListQuery): Row[] {
  const { where, values } = whereClause(query.conditions);
  const { by, direction } = query.order;
  const tie = query.shuffle === null ? `id ${direction}` : `(id * 7919 + ${query.shuffle} * 104729) % 10007`;
  const ids = sql.all<{ id: number }>(
    `SELECT id FROM ${query.source}${where} ORDER BY ${by} ${direction}, ${tie} LIMIT ? OFFSET ?`,
    ...values,
    query.limit,
    query.offset,
  );
  const wanted = JSON.stringify(ids.map(({ id }) => id));
  const rows = sql.all<Row>(`SELECT * FROM ${query.source} WHERE id IN (SELECT value FROM json_each(?))`, wanted);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap(({ id }) => byId.get(id) ?? []);
}

function whereClause(conditions: readonly Condition[]) {
  const where = conditions.map((condition) => condition.sql).join(' AND ');
  return { where: where === '' ? '' : ` WHERE ${where}`, values: conditions.flatMap((condition) => condition.values) };
}

/** An attribute that is no column of its own lives in the `fields` document, as a value or as {id}. */
export function fieldOf(attribute: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(attribute)) throw invalid('ordering', `${attribute} is no attribute.`);
  return `coalesce(json_extract(fields, '$.${attribute}.id'), json_extract(fields, '$.${attribute}'))`;
}

const COMPARISONS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** A filter by its name: an attribute, and after two underscores how it is compared (spec 2, List filters). */
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
      return isIn(sql, Array.isArray(value) ? (value as unknown[]) : String(value).split(','));
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
  return isIn(sql, /^\d+(,\d+)+$/.test(text) ? text.split(',') : [text]);
}

/** By text, so that 7 and "7" are the same; a column compares like that by itself, and by its index. */
export function isIn(sql: string, values: readonly unknown[]): Condition {
  const compared = /^\w+$/.test(sql) ? sql : `CAST(${sql} AS TEXT)`;
  return { sql: `${compared} IN (${values.map(() => '?').join(', ')})`, values: values.map(String) };
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
