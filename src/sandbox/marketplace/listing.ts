import type { CallQuery } from './call.ts';
import { attributeExpression, type Condition, countRows, orderOf, pageRows, timeCondition } from './list-query.ts';
import type { Market } from './market.ts';
import type { OrderRow } from './order-rows.ts';
import type { ProductRow } from './product-rows.ts';

export interface Page<Row> {
  readonly count: number;
  readonly rows: readonly Row[];
}

/** Which rows of a collection: filters as sent, ordering, and the window. */
export interface PageWanted {
  readonly filters: CallQuery;
  readonly ordering: string | null;
  readonly limit: number;
  readonly offset: number;
}

const ORDER_COLUMNS = new Set([
  'id',
  'number',
  'status',
  'customer',
  'external_id',
  'discount_amount',
  'created_on',
  'modified',
]);
const PRODUCT_COLUMNS = new Set([
  'id',
  'sku',
  'name',
  'listing_state',
  'archived',
  'inventory_management',
  'quantity',
  'reserved_qty',
  'unit_multiplier',
  'created_on',
  'modified',
]);
const DECIMALS = new Set(['quantity', 'reserved_qty', 'unit_multiplier', 'discount_amount']);
const SELECTIVE = new Set(['id', 'sku', 'external_id_key', 'external_id_values']);
const TIMES = { modified: 'modified', created_on: 'created_on', last_edit: 'modified' };

export function listOrders(market: Market, wanted: PageWanted): Page<OrderRow> {
  const conditions = filtersOf(market, wanted).map(([name, value]) => orderCondition(name, value));
  return listRows<OrderRow>(market, 'orders', ORDER_COLUMNS, conditions, wanted, '-created_on');
}

export function listProducts(market: Market, wanted: PageWanted): Page<ProductRow> {
  const settings = market.settings();
  const filters = filtersOf(market, wanted).filter(([name]) => name !== 'archived');
  const conditions = filters.map(([name, value]) => productCondition(name, value, wanted.filters));
  // The plus keeps SQLite from walking all live rows when an index for a few is at hand.
  const selective = filters.some(([name]) => SELECTIVE.has(name));
  const column = selective ? '+archived' : 'archived';
  const archived = settings.filters === 'honoured' ? wanted.filters['archived'] : undefined;
  if (archived === false || (archived === undefined && settings.archivedInList === 'excluded')) {
    conditions.push({ sql: `${column} = 0`, values: [] });
  } else if (archived === true && settings.archivedFilter === 'only') {
    conditions.push({ sql: `${column} = 1`, values: [] });
  }
  return listRows<ProductRow>(market, 'products', PRODUCT_COLUMNS, conditions, wanted, 'id');
}

function filtersOf(market: Market, wanted: PageWanted): [string, unknown][] {
  if (market.settings().filters === 'ignored') return [];
  return Object.entries(wanted.filters).filter(([name]) => name !== 'include_children');
}

function listRows<Row extends { readonly id: number }>(
  market: Market,
  table: 'orders' | 'products',
  columns: ReadonlySet<string>,
  conditions: readonly Condition[],
  wanted: PageWanted,
  defaultOrdering: string,
): Page<Row> {
  const settings = market.settings();
  const source = market.listSource(table);
  const count = countRows(market.sql, { source, conditions });
  const ordering = settings.ordering === 'ignored' ? null : wanted.ordering;
  const rows = pageRows<Row>(market.sql, {
    source,
    conditions,
    order: orderOf(ordering ?? defaultOrdering, (attribute) => {
      const expression = attributeExpression(columns, attribute);
      return DECIMALS.has(attribute) ? `CAST(${expression} AS REAL)` : expression;
    }),
    shuffle: settings.ties === 'shuffled' ? market.now() % 10_007 : null,
    limit: wanted.limit,
    offset: wanted.offset,
  });
  return { count, rows };
}

function orderCondition(name: string, value: unknown): Condition {
  return (
    timeCondition(name, value, TIMES) ?? { sql: `${attributeExpression(ORDER_COLUMNS, name)} = ?`, values: [value] }
  );
}

const EVERYTHING: Condition = { sql: '1 = 1', values: [] };

function productCondition(name: string, value: unknown, all: CallQuery): Condition {
  const key = all['external_id_key'];
  switch (name) {
    case 'id':
      return isIn('id', String(value).split(',').map(Number));
    case 'external_id_key':
      return all['external_id_unmapped'] === undefined ? externalIdCondition([key], null) : EVERYTHING;
    case 'external_id_values':
      return externalIdCondition(key === undefined ? [] : [key], String(value).split(','));
    case 'external_id_unmapped': {
      const mapped = externalIdCondition(key === undefined ? [] : [key], null);
      return value === true ? { ...mapped, sql: `NOT ${mapped.sql}` } : mapped;
    }
    case 'sku':
      // A SKU may hold a comma itself.
      return isIn('sku', [...[value].flat(), ...String(value).split(',')]);
    case 'search': {
      const pattern = `%${String(value).replaceAll(/[\\%_]/g, '\\$&')}%`;
      return { sql: "(name LIKE ? ESCAPE '\\' OR sku LIKE ? ESCAPE '\\')", values: [pattern, pattern] };
    }
    default:
      return timeCondition(name, value, TIMES) ?? attributeCondition(name, value);
  }
}

function attributeCondition(name: string, value: unknown): Condition {
  if (name.endsWith('__isnull')) {
    const attribute = attributeExpression(PRODUCT_COLUMNS, name.slice(0, -'__isnull'.length));
    return { sql: `${attribute} IS ${value === true ? '' : 'NOT '}NULL`, values: [] };
  }
  const attribute = attributeExpression(PRODUCT_COLUMNS, name.replaceAll('__', '_'));
  if (typeof value === 'boolean') return { sql: `coalesce(${attribute}, 0) = ?`, values: [value ? 1 : 0] };
  return isIn(`CAST(${attribute} AS TEXT)`, String(value).split(','));
}

function isIn(expression: string, values: readonly unknown[]): Condition {
  return { sql: `${expression} IN (${values.map(() => '?').join(', ')})`, values };
}

function externalIdCondition(keys: readonly unknown[], values: readonly string[] | null): Condition {
  const tests = ['1 = 1', ...keys.map(() => 'key = ?')];
  if (values) tests.push(`value IN (${values.map(() => '?').join(', ')})`);
  return {
    sql: `id IN (SELECT product FROM product_external_ids WHERE ${tests.join(' AND ')})`,
    values: [...keys, ...(values ?? [])],
  };
}
