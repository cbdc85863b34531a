import type { Sql } from '../sql.ts';
import { createAbilities } from './ability.ts';
import { createCatalog, type ProductRow, productRecord } from './catalog.ts';
import { type CustomerRow, createCustomers, customerId, customerRecord } from './customers.ts';
import { type ListAnswer, type ListQuery, type ListSource, readPage } from './lists.ts';
import { createLots, lotRecord } from './lots.ts';
import { createOrders, type NewOrder, orderRecord } from './orders.ts';
import { createPayments, paymentRecord } from './payments.ts';
import type { OrderRecord, StockRecord } from './records.ts';
import { Refusal } from './refusal.ts';
import { createShortage } from './shortage.ts';

/** The ERP without HTTP. Each write is one transaction, undone by a `Refusal`. */
export function openBooks(sql: Sql, nowMs: () => number) {
  const catalog = createCatalog(sql, nowMs);
  const orders = createOrders(sql, nowMs, catalog);
  const shortage = createShortage(catalog);
  const listed =
    <Row extends { n: number }, T>(table: ListSource['table'], record: (row: Row) => T, column = '') =>
    (query: ListQuery, value: string | number | null = null): ListAnswer<T> => {
      const filter = value === null ? null : { sql: `${column} = ?`, values: [value] };
      return readPage(sql, { table, changedColumn: 'changed_ms', filter }, query, nowMs(), record);
    };

  return {
    abilities: createAbilities(),
    catalog,
    orders: {
      ...orders,
      refuseShort: shortage.refuse,
      create(draft: NewOrder) {
        shortage.check(draft);
        return orders.create({ ...draft, customer: knownCustomer(sql, draft.customer) });
      },
    },
    lots: createLots(sql, nowMs, catalog),
    lotList: listed('lots', lotRecord),
    customers: createCustomers(sql, nowMs),
    payments: createPayments(sql, nowMs, orders),
    products: listed('products', productRecord, 'sku'),
    /** `skus` null: every row. */
    stock(query: ListQuery, skus: readonly string[] | null): ListAnswer<StockRecord> {
      const asOf = new Date(nowMs()).toISOString();
      const filter = skus === null ? null : { sql: `sku IN (${skus.map(() => '?').join(', ')})`, values: skus };
      const source = { table: 'products', changedColumn: 'stock_changed_ms', filter } as const;
      const found = readPage(sql, source, query, nowMs(), (row: ProductRow) => catalog.stockRows(row, asOf));
      return { ...found, items: found.items.flat() };
    },
    orderList: listed('orders', orderRecord, 'reference'),
    customerList: listed('customers', customerRecord, 'marketplace_id'),
    paymentList: listed('payments', paymentRecord, 'marketplace_id'),
    inTransaction: sql.transaction,
    close: sql.close,
  };
}

export type Books = ReturnType<typeof openBooks>;

/** An order names its customer by the ERP's id, which must exist, or by the marketplace's, which is resolved. */
function knownCustomer(sql: Sql, customer: OrderRecord['customer']): OrderRecord['customer'] {
  if (customer.id !== undefined) {
    const row = sql.get('SELECT 1 FROM customers WHERE n = ?', Number(customer.id.slice(2)));
    if (row === undefined) throw new Refusal(422, `There is no customer ${customer.id}`);
    return customer;
  }
  if (customer.marketplace_id === undefined) return customer;
  const known = 'SELECT * FROM customers WHERE marketplace_id = ? ORDER BY n LIMIT 1';
  const row = sql.get<CustomerRow>(known, customer.marketplace_id);
  return row === undefined ? customer : { id: customerId(row.n), name: row.name, ...customer };
}
