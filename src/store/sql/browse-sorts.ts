import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Choice, OrderChoice, OrderSort, PageKey, ProductChoice, ProductSort } from '../browse.ts';
import { sql } from './orm.ts';
import { folded, unindexed } from './queries.ts';
import { erpProducts } from './tables/erp.ts';
import { orders } from './tables/marketplace.ts';

/* The sort orders of the tables for people. Each has an index, so that a page is read without its table.
 * Only PostgreSQL sorts the orders by customer, since some have none. */

type Sql = ReturnType<typeof sql>;

interface Sort {
  /** The columns; the last is the row's id. */
  readonly columns: readonly SQLiteColumn[];
  readonly isDown?: true;
  /** The first column is a name: compared without case, and rows without a name are at the end next to "a". */
  readonly isName?: true;
  /** The values of the previous page's last row, without its id. */
  readonly values: (sorted: string) => readonly string[];
}

const asOne = (sorted: string) => [sorted];
const byNumber = { columns: [orders.number], values: () => [] };
const byModified = { columns: [orders.modified, orders.number], values: asOne };
const byCustomer = { columns: [orders.customerName, orders.number], isName: true, values: asOne } as const;
const byStatus = {
  columns: [orders.status, orders.modified, orders.number],
  // An instant has no line break; a status may have any character.
  values: (sorted: string) => {
    const [modified = '', ...status] = sorted.split('\n');
    return [status.join('\n'), modified];
  },
};
const bySku = { columns: [erpProducts.sku, erpProducts.id], values: asOne };
const byName = { columns: [erpProducts.name, erpProducts.id], isName: true, values: asOne } as const;

const ORDER_SORTED: Readonly<Record<OrderSort, Sort>> = {
  newest: { ...byModified, isDown: true },
  oldest: byModified,
  number: byNumber,
  'number-down': { ...byNumber, isDown: true },
  customer: byCustomer,
  'customer-down': { ...byCustomer, isDown: true },
  status: byStatus,
  'status-down': { ...byStatus, isDown: true },
};

const PRODUCT_SORTED: Readonly<Record<ProductSort, Sort>> = {
  sku: bySku,
  'sku-down': { ...bySku, isDown: true },
  name: byName,
  'name-down': { ...byName, isDown: true },
};

export const orderSorts = (choice: OrderChoice) => termsOf(ORDER_SORTED[choice.sort], choice);
export const productSorts = (choice: ProductChoice) => termsOf(PRODUCT_SORTED[choice.sort], choice);
export const ordersAfter = ({ sort, after }: OrderChoice) => after && isAfter(ORDER_SORTED[sort], after);
export const productsAfter = ({ sort, after }: ProductChoice) => after && isAfter(PRODUCT_SORTED[sort], after);

/**
 * A few found rows are sorted by an expression without an index. Otherwise SQLite would read all rows in index order.
 */
function termsOf({ columns, isDown, isName }: Sort, { search, states }: Choice): Sql[] {
  const isFew = search !== '' || states.length > 0;
  const way = sql.raw(isDown ? 'desc' : 'asc');
  return columns.map((column, at) => {
    const term = isFew && at < columns.length - 1 ? unindexed(column) : sql`${column}`;
    if (!isName || at > 0) return sql`${term} ${way}`;
    const named = sql`lower(${term}) ${way}`;
    // PostgreSQL would not use the index of a column that is never null.
    return column.notNull ? named : sql`${named} nulls ${sql.raw(isDown ? 'last' : 'first')}`;
  });
}

function isAfter({ columns, isDown, isName, values }: Sort, { sorted, id }: PageKey): Sql {
  const than = sql.raw(isDown ? '<' : '>');
  const [name] = columns;
  const [own] = columns.slice(-1);
  // As the index has it: otherwise SQLite would read each row for its name.
  const shown = columns.map((column, at) => (isName && at === 0 ? sql`lower(${column})` : sql`${column}`));
  const [first = sql`${name}`] = shown;
  if (sorted === null) {
    const without = sql`(${first} is null and ${own} ${than} ${id})`;
    return isDown ? without : sql`(${without} or ${first} is not null)`;
  }
  const last = [...values(isName ? folded(sorted) : sorted), id].map((value) => sql`${value}`);
  const later = sql`(${sql.join(shown, sql`, `)}) ${than} (${sql.join(last, sql`, `)})`;
  return isName && isDown ? sql`(${later} or ${first} is null)` : later;
}
