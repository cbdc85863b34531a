import {
  ERP_LISTS,
  type ErpCustomer,
  type ErpOrder,
  type ErpPayment,
  type ErpProduct,
  type StockRow,
} from '../connector.ts';
import { customerRow } from '../rows/customers.ts';
import { createMapping } from '../rows/mapping.ts';
import type { Shape } from '../rows/page.ts';
import { lotRow, orderRow, paymentRow, productRow, stockRow } from '../rows/rows.ts';
import { isRecord, type RawRow } from './cells.ts';
import type { Plan } from './connector.ts';
import type { Find, List } from './lists.ts';
import type { Records } from './records.ts';
import type { Section } from './section.ts';
import type { Step } from './writes.ts';

/** The statements of a configuration that has passed its check. */
export function planOf({ lists, finds, writes }: Section): Plan {
  const { customers, payments, lots } = lists;
  const [productBySku, productCreate] = [finds['products-by-sku'], writes['product-create']];
  const products = listOf<ErpProduct>('products', lists.products, { row: productRow });
  return {
    alwaysWhole: ERP_LISTS.filter((name) => lists[name]?.changed === undefined),
    products,
    stock: listOf('stock', lists.stock, { row: stockRow, idField: 'product_id' }, placeOf),
    stockBySku: findOf('stock-by-sku', finds['stock-by-sku']),
    newProducts:
      productBySku === undefined || productCreate === undefined
        ? null
        : {
            list: products,
            find: findOf('products-by-sku', productBySku),
            create: stepsOf('product-create', productCreate),
          },
    lots: lots === undefined ? null : listOf('lots', lots, { row: lotRow }),
    orders: {
      list: listOf<ErpOrder>('orders', lists.orders, { row: orderRow }),
      find: findOf('orders-by-reference', finds['orders-by-reference']),
      create: stepsOf('order-create', writes['order-create']),
    },
    orderById: findOf('order-by-id', finds['order-by-id']),
    orderUpdate: stepsOf('order-update', writes['order-update']),
    customers:
      customers === undefined
        ? null
        : {
            list: listOf<ErpCustomer>('customers', customers, { row: customerRow }),
            ...some('customers-by-marketplace-id', finds, 'customer-create', writes),
          },
    payments:
      payments === undefined
        ? null
        : {
            list: listOf<ErpPayment>('payments', payments, { row: paymentRow }),
            ...some('payments-by-marketplace-id', finds, 'payment-create', writes),
          },
  };
}

function some(
  find: 'customers-by-marketplace-id' | 'payments-by-marketplace-id',
  finds: Section['finds'],
  create: 'customer-create' | 'payment-create',
  writes: Section['writes'],
): Partial<Pick<Records<unknown>, 'find' | 'create'>> {
  const [condition, steps] = [finds[find], writes[create]];
  return {
    ...(condition === undefined ? {} : { find: findOf(find, condition) }),
    ...(steps === undefined ? {} : { create: stepsOf(create, steps) }),
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

/** A field that an expression makes wins over the column of that name. In a field with parts, each part wins by itself. */
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

function stepsOf(name: string, steps: Section['writes']['order-create']): Step[] {
  return steps.map(({ sql, name: called, each, when, rows, message }, index) => ({
    key: `writes.${name}[${index}]`,
    sql,
    name: called ?? null,
    each: each ?? null,
    when: when ?? null,
    rows: rows ?? null,
    message: message ?? null,
  }));
}
