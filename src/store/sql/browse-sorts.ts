import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { parseDecimal } from '../../domain/decimal.ts';
import type { Choice, OrderChoice, OrderSort, PageKey, ProductChoice, ProductSort } from '../browse.ts';
import { sql } from './orm.ts';
import { folded, unindexed } from './queries.ts';
import { erpOrders, erpProducts } from './tables/erp.ts';
import { orders } from './tables/marketplace.ts';

/* The sort orders of the tables for people. Each has an index, so that a page is read without its table.
 * Only PostgreSQL sorts the orders by customer and by total, since some have none. The status in the ERP is in another
 * table, so all orders are sorted by it. */

type Sql = ReturnType<typeof sql>;

interface Sort {
  /** The columns; the last is the row's id. */
  readonly columns: readonly SQLiteColumn[];
  readonly isDown?: true;
  /**
   * How the first column is compared: a name without case, an amount as a number. Rows without a value are at the end next
   * to "a", or to the smallest amount.
   */
  readonly as?: 'name' | 'amount' | 'joined';
  /** The values of the previous page's last row, without its id. */
  readonly values: (sorted: string) => readonly string[];
}

const asOne = (sorted: string) => [sorted];
const byNumber = { columns: [orders.number], values: () => [] };
const byModified = { columns: [orders.modified, orders.number], values: asOne };
const byCustomer = { columns: [orders.customerName, orders.number], as: 'name', values: asOne } as const;
const byTotal = { columns: [orders.total, orders.number], as: 'amount', values: asOne } as const;
/** Of the ERP's order, which some have none of. */
const byErpStatus = { columns: [erpOrders.status, orders.number], as: 'joined', values: asOne } as const;
const byStatus = {
  columns: [orders.status, orders.modified, orders.number],
  // An instant has no line break; a status may have any character.
  values: (sorted: string) => {
    const [modified = '', ...status] = sorted.split('\n');
    return [status.join('\n'), modified];
  },
};
const bySku = { columns: [erpProducts.sku, erpProducts.id], values: asOne };
const byName = { columns: [erpProducts.name, erpProducts.id], as: 'name', values: asOne } as const;
const byPrice = { columns: [erpProducts.priceAmount, erpProducts.id], as: 'amount', values: asOne } as const;

const ORDER_SORTED: Readonly<Record<OrderSort, Sort>> = {
  newest: { ...byModified, isDown: true },
  oldest: byModified,
  number: byNumber,
  'number-down': { ...byNumber, isDown: true },
  customer: byCustomer,
  'customer-down': { ...byCustomer, isDown: true },
  status: byStatus,
  'status-down': { ...byStatus, isDown: true },
  total: byTotal,
  'total-down': { ...byTotal, isDown: true },
  'erp-status': byErpStatus,
  'erp-status-down': { ...byErpStatus, isDown: true },
};

const PRODUCT_SORTED: Readonly<Record<ProductSort, Sort>> = {
  sku: bySku,
  'sku-down': { ...bySku, isDown: true },
  name: byName,
  'name-down': { ...byName, isDown: true },
  price: byPrice,
  'price-down': { ...byPrice, isDown: true },
};

export const orderSorts = (choice: OrderChoice) => termsOf(ORDER_SORTED[choice.sort], choice);
/** Has the sort no index? Then all orders are sorted. */
export const isWithoutIndex = ({ sort }: OrderChoice) => ORDER_SORTED[sort].as === 'joined';
export const productSorts = (choice: ProductChoice) => termsOf(PRODUCT_SORTED[choice.sort], choice);
export const ordersAfter = ({ sort, after }: OrderChoice) => after && isAfter(ORDER_SORTED[sort], after);
export const productsAfter = ({ sort, after }: ProductChoice) => after && isAfter(PRODUCT_SORTED[sort], after);

/**
 * A few found rows are sorted by an expression without an index. Otherwise SQLite would read all rows in index order.
 */
function termsOf({ columns, isDown, as }: Sort, { search, states }: Choice): Sql[] {
  const isFew = search !== '' || states.length > 0;
  const way = sql.raw(isDown ? 'desc' : 'asc');
  return columns.map((column, at) => {
    const term = isFew && at < columns.length - 1 ? unindexed(column) : sql`${column}`;
    if (as === undefined || at > 0) return sql`${term} ${way}`;
    const shown = sql`${comparedAs(term, as)} ${way}`;
    // PostgreSQL would not use the index of a column that is never null.
    const isNever = column.notNull && as !== 'joined';
    return isNever ? shown : sql`${shown} nulls ${sql.raw(isDown ? 'last' : 'first')}`;
  });
}

function comparedAs(value: Sql, as: Sort['as']): Sql {
  if (as === 'name') return sql`lower(${value})`;
  return as === 'amount' ? sql`cast(${value} as numeric)` : value;
}

function isAfter({ columns, isDown, as, values }: Sort, { sorted, id }: PageKey): Sql {
  // An address may have any text in its place. PostgreSQL would fail to read it as a number.
  if (as === 'amount' && sorted !== null && parseDecimal(sorted) === null) return sql`true`;
  const than = sql.raw(isDown ? '<' : '>');
  const [name] = columns;
  const [own] = columns.slice(-1);
  // As the index has it: otherwise SQLite would read each row for its name.
  const shown = columns.map((column, at) => (at === 0 ? comparedAs(sql`${column}`, as) : sql`${column}`));
  const [first = sql`${name}`] = shown;
  if (sorted === null) {
    const without = sql`(${first} is null and ${own} ${than} ${id})`;
    return isDown ? without : sql`(${without} or ${first} is not null)`;
  }
  const last = [...values(as === 'name' ? folded(sorted) : sorted), id].map((value, at) =>
    at === 0 && as === 'amount' ? comparedAs(sql`${value}`, as) : sql`${value}`,
  );
  const later = sql`(${sql.join(shown, sql`, `)}) ${than} (${sql.join(last, sql`, `)})`;
  return as !== undefined && isDown ? sql`(${later} or ${first} is null)` : later;
}
