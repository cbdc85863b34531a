import type { Sql } from './database.ts';
import { parseInstant } from './instants.ts';
import { invalid } from './refusal.ts';

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
