import type { Call } from '../call.ts';
import { parseInstant } from '../instants.ts';
import { type Condition, countRows, orderOf, pageRows } from '../list-query.ts';
import type { Market } from '../market.ts';
import { invalid } from '../refusal.ts';
import type { Family, RecordRow } from './family.ts';

export interface RecordPage {
  readonly count: number;
  readonly rows: readonly RecordRow[];
}

/** A page of a family's records that pass the filters, within `scope`. */
export function listRecords(
  market: Market,
  family: Family,
  { query, window }: Pick<Call, 'query' | 'window'>,
  scope: readonly Condition[] = [],
): RecordPage {
  const settings = market.settings();
  const filters = settings.filters === 'ignored' ? {} : query;
  const hidden = family.hidden === undefined ? [] : [{ sql: `NOT coalesce(${family.hidden}, 0)`, values: [] }];
  const asked = Object.entries(filters).map(([name, value]) => {
    const own = family.filters?.[name];
    return own === undefined ? condition(family, name, value) : own(value, filters, market);
  });
  const conditions = [...hidden, ...scope, ...asked.filter((each) => each !== null)];
  const source = `(SELECT * FROM records WHERE family = '${family.name}')`;
  const ordering = (settings.ordering === 'ignored' ? null : window.ordering) ?? 'id';
  const rows = pageRows<RecordRow>(market.sql, {
    source,
    conditions,
    order: orderOf(ordering, (attribute) => sqlOf(family, attribute)),
    shuffle: settings.ties === 'shuffled' ? market.now() % 10_007 : null,
    limit: window.limit,
    offset: window.offset,
  });
  return { count: countRows(market.sql, { source, conditions }), rows };
}

const CREATED = new Set(['created', 'created_on', 'created_date']);
const MODIFIED = new Set(['modified', 'modified_date']);

/** An attribute in SQL: a column, or a field of the record, as a value or as {id}. */
function sqlOf({ id, attributes, times }: Family, attribute: string): string {
  const own = attributes?.[attribute];
  if (own !== undefined) return own;
  if (attribute === 'id') return id === 'uuid' ? 'key' : 'id';
  if (isTime(times, attribute)) return CREATED.has(attribute) ? 'created' : 'modified';
  return `coalesce(json_extract(fields, '$.${attribute}.id'), json_extract(fields, '$.${attribute}'))`;
}

function isTime(times: Family['times'], attribute: string): boolean {
  return times !== undefined && (CREATED.has(attribute) || MODIFIED.has(attribute));
}

const COMPARISONS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** A filter by its name: an attribute, and after two underscores how it is compared (spec 2, List filters). */
function condition(family: Family, name: string, value: unknown): Condition {
  if (name === 'search') return searchCondition(family, String(value));
  const [, attribute = name, test] = /^(.+?)(?:__(gt|gte|lt|lte|in|startswith|isnull))?$/.exec(name) ?? [];
  const sql = sqlOf(family, attribute);
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
      return comparison(family, { name, attribute, sql, test: COMPARISONS[test] ?? '=' }, String(value));
  }
}

function equality(sql: string, value: unknown): Condition {
  if (typeof value === 'boolean') return { sql: `coalesce(${sql}, 0) = ?`, values: [value ? 1 : 0] };
  if (Array.isArray(value)) return isIn(sql, value as unknown[]);
  const text = String(value);
  return isIn(sql, /^\d+(,\d+)+$/.test(text) ? text.split(',') : [text]);
}

/** By text, so that 7 and "7" are the same. */
function isIn(sql: string, values: readonly unknown[]): Condition {
  return { sql: `CAST(${sql} AS TEXT) IN (${values.map(() => '?').join(', ')})`, values: values.map(String) };
}

function comparison(
  family: Family,
  { name, attribute, sql, test }: { name: string; attribute: string; sql: string; test: string },
  value: string,
): Condition {
  if (isTime(family.times, attribute)) {
    const at = parseInstant(value);
    if (at === null) throw invalid(name, 'Enter a valid date/time.');
    return { sql: `${sql} ${test} ?`, values: [at] };
  }
  if (/^-?\d+(\.\d+)?$/.test(value)) return { sql: `CAST(${sql} AS REAL) ${test} ?`, values: [Number(value)] };
  return { sql: `julianday(${sql}) ${test} julianday(?)`, values: [value] };
}

function searchCondition({ searched = [] }: Family, text: string): Condition {
  const pattern = `%${escaped(text)}%`;
  const tests = searched.map((sql) => `${sql} LIKE ? ESCAPE '\\'`);
  return { sql: `(${['0', ...tests].join(' OR ')})`, values: searched.map(() => pattern) };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
