import type { Call } from './call.ts';
import { externalIdFilters } from './external-ids.ts';
import {
  type Condition,
  type Filter,
  fieldOf,
  isIn,
  type Listed,
  listPage,
  type Page,
  severalOf,
} from './list-query.ts';
import type { Market } from './market.ts';
import type { OrderRow } from './order-rows.ts';
import type { ProductRow } from './product-rows.ts';

const TIMED = ['created_on', 'modified'];
const COLUMNS = {
  orders: ['id', 'number', 'status', 'customer', 'external_id', 'discount_amount', ...TIMED],
  products: [
    'id',
    'sku',
    'name',
    'listing_state',
    'archived',
    'inventory_management',
    'quantity',
    'reserved_qty',
    'unit_multiplier',
    ...TIMED,
  ],
};
const DECIMALS = ['quantity', 'reserved_qty', 'unit_multiplier', 'discount_amount'];
/** Filters that match few rows. */
const SELECTIVE = ['id', 'sku', 'external_id_key', 'external_id_values'];

const separated: (column: string) => Filter = (column) => (value) => isIn(column, severalOf(value));
const PRODUCT_FILTERS: Readonly<Record<string, Filter>> = {
  ...externalIdFilters((tests) => `id IN (SELECT product FROM product_external_ids WHERE ${tests})`),
  // A SKU may contain a comma.
  sku: (value) => isIn('sku', [...[value].flat(), ...String(value).split(',')]),
  listing_state: separated('listing_state'),
  seller_internal_id: separated(fieldOf('seller_internal_id')),
  archived: () => null,
};

export function listOrders(market: Market, call: Pick<Call, 'query' | 'window'>): Page<OrderRow> {
  const filters = { include_children: () => null };
  return listPage(market, listedOf(market, 'orders', { filters, searched: [], ordering: '-created_on' }), call, []);
}

export function listProducts(market: Market, call: Pick<Call, 'query' | 'window'>): Page<ProductRow> {
  const { filters, archivedInList, archivedFilter } = market.settings();
  const asked = filters === 'honoured' ? call.query : {};
  // The plus keeps SQLite from scanning all rows where an index finds few.
  const column = SELECTIVE.some((name) => name in asked) ? '+archived' : 'archived';
  const { archived } = asked;
  const scope: Condition[] = [];
  if (archived === false || (archived === undefined && archivedInList === 'excluded')) {
    scope.push({ sql: `${column} = 0`, values: [] });
  } else if (archived === true && archivedFilter === 'only') {
    scope.push({ sql: `${column} = 1`, values: [] });
  }
  const how = { filters: PRODUCT_FILTERS, searched: ['name', 'sku'], ordering: 'id' };
  return listPage(market, listedOf(market, 'products', how), call, scope);
}

function listedOf(
  market: Market,
  table: 'orders' | 'products',
  how: Pick<Listed, 'filters' | 'searched' | 'ordering'>,
): Listed {
  return {
    source: market.late.source(table),
    sqlOf(attribute) {
      if (attribute === 'last_edit') return 'modified';
      const sql = COLUMNS[table].includes(attribute) ? attribute : fieldOf(attribute.replaceAll('__', '_'));
      return DECIMALS.includes(attribute) ? `CAST(${sql} AS REAL)` : sql;
    },
    isTime: (attribute) => attribute === 'last_edit' || TIMED.includes(attribute),
    ...how,
  };
}
