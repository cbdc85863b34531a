import type { Sql } from './database.ts';
import { parseInstant } from './instants.ts';
import { invalid } from './refusal.ts';

export interface ListQuery {
  /** A table, or a subselect with the same columns. */
  readonly source: string;
  readonly columns: ReadonlySet<string>;
  /** Columns that hold decimals as text. */
  readonly decimals: ReadonlySet<string>;
  readonly conditions: readonly Condition[];
  /** Attribute, with a dash in front for descending. */
  readonly ordering: string;
  /** Orders rows that are equal in the ordering attribute by another sequence with each number; null: by id. */
  readonly shuffle: number | null;
  readonly limit: number;
  readonly offset: number;
}

export interface Condition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export function countRows(sql: Sql, query: Pick<ListQuery, 'source' | 'conditions'>): number {
  const { where, values } = whereClause(query.conditions);
  return sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${query.source}${where}`, ...values)?.n ?? 0;
}

/** One page of rows. The ids come from an index alone, so that a far page costs no row reads. */
export function pageRows<Row extends { readonly id: number }>(sql: Sql, query: ListQuery): Row[] {
  const { where, values } = whereClause(query.conditions);
  const descending = query.ordering.startsWith('-');
  const attribute = descending ? query.ordering.slice(1) : query.ordering;
  const direction = descending ? 'DESC' : 'ASC';
  const tie = query.shuffle === null ? `id ${direction}` : `(id * 7919 + ${query.shuffle} * 104729) % 10007`;
  const ids = sql.all<{ id: number }>(
    `SELECT id FROM ${query.source}${where} ORDER BY ${orderExpression(query, attribute)} ${direction}, ${tie} LIMIT ? OFFSET ?`,
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

function orderExpression(query: ListQuery, attribute: string): string {
  if (!query.columns.has(attribute)) return attributeExpression(query.columns, attribute);
  return query.decimals.has(attribute) ? `CAST(${attribute} AS REAL)` : attribute;
}

/** An attribute that is no column of its own lives in the `fields` document, as a value or as {id}. */
export function attributeExpression(columns: ReadonlySet<string>, attribute: string): string {
  if (columns.has(attribute)) return attribute;
  if (!/^[a-z][a-z0-9_]*$/.test(attribute)) throw invalid('ordering', `${attribute} is no attribute.`);
  return `coalesce(json_extract(fields, '$.${attribute}.id'), json_extract(fields, '$.${attribute}'))`;
}

const COMPARISONS: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** `modified__gte=...` and the like. null when the name is no comparison with a time. */
export function timeCondition(name: string, value: unknown, times: Readonly<Record<string, string>>): Condition | null {
  const [, attribute = '', test = ''] = /^([a-z_]+)__(gt|gte|lt|lte)$/.exec(name) ?? [];
  const column = times[attribute];
  if (column === undefined) return null;
  const at = parseInstant(String(value));
  if (at === null) throw invalid(name, 'Enter a valid date/time.');
  return { sql: `${column} ${COMPARISONS[test]} ?`, values: [at] };
}
