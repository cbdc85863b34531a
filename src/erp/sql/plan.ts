import { noticed, type StockRow } from '../connector.ts';
import { CUSTOMERS, ORDERS, PAYMENTS, PRODUCTS, type RecordKind } from '../rows/kinds.ts';
import { createMapping } from '../rows/mapping.ts';
import type { Shape } from '../rows/page.ts';
import { lotRow, orderRow, stockRow } from '../rows/rows.ts';
import { isRecord, type RawRow } from './cells.ts';
import type { Find, List } from './lists.ts';
import type { Records } from './records.ts';
import type { Section } from './section.ts';
import type { Step } from './writes.ts';

export type Plan = ReturnType<typeof planOf>;

/** Statements of a valid configuration; undefined: not configured. */
export function planOf({ lists, finds, writes }: Section) {
  const some = <T extends object, Draft, Key extends keyof T & keyof Draft>({
    list,
    row,
    find,
    create,
  }: RecordKind<T, Draft, Key>): Partial<Records<T>> => {
    const [query, condition, steps] = [lists[list], finds[find], writes[create]];
    return {
      ...(query && { list: listOf(list, query, { row }) }),
      ...(condition !== undefined && { find: findOf(find, condition) }),
      ...(steps && { create: stepsOf(create, steps) }),
    };
  };
  return {
    notices: noticed((name) => (lists[name]?.changed === undefined ? 'whole' : 'stamp')),
    stock: listOf('stock', lists.stock, { row: stockRow, idField: 'product_id' }, placeOf),
    stockBySku: findOf('stock-by-sku', finds['stock-by-sku']),
    lots: lists.lots && listOf('lots', lists.lots, { row: lotRow }),
    products: some(PRODUCTS),
    orders: { ...some(ORDERS), list: listOf('orders', lists.orders, { row: orderRow }) },
    orderById: findOf('order-by-id', finds['order-by-id']),
    orderUpdate: stepsOf('order-update', writes['order-update']),
    customers: some(CUSTOMERS),
    payments: some(PAYMENTS),
  };
}

function listOf<T extends object>(
  name: string,
  { query, changed, row, lines }: Section['lists']['products'] & { readonly lines?: string | undefined },
  shape: Shape<T>,
  keyOf: (row: T) => string = (one) => String((one as { id?: string }).id),
): List<T> {
  return { ...shape, name, query, changed: changed ?? null, lines: lines ?? null, map: laidOver(row), keyOf };
}

function placeOf({ productId, sku, location, batch }: StockRow) {
  return [productId, sku, location, batch].filter((part) => part !== undefined).join(' ');
}

/** An expression's field replaces the column of that name. In a field with parts, each part does. */
function laidOver(row: Section['lists']['products']['row']): List<unknown>['map'] {
  if (row === undefined) return async (rows) => rows;
  const mapping = createMapping(row);
  return async (rows) => {
    const made = await mapping.map(rows);
    return made.map((over, index) => (isRecord(over) ? merged(rows[index] ?? {}, over) : over));
  };
}

function merged(row: RawRow, over: Record<string, unknown>): RawRow {
  const entries = Object.entries(over).map(([name, value]) => {
    const under = row[name];
    return [name, isRecord(under) && isRecord(value) ? { ...under, ...value } : value] as const;
  });
  return { ...row, ...Object.fromEntries(entries) };
}

function findOf(name: keyof Section['finds'], condition: string): Find {
  return { key: `finds.${name}`, condition };
}

function stepsOf(name: keyof Section['writes'], steps: Section['writes']['order-create']): Step[] {
  return steps.map((step, index) => ({ ...step, key: `writes.${name}[${index}]` }));
}
