import { z } from 'zod';
import { AWAITED } from '../../domain/failure.ts';
import { doc, secret, text, wholeNumber } from '../../settings/scalars.ts';
import { commonKeys } from '../kind.ts';
import { isZone } from '../rows/times.ts';
import { addressOf } from './address.ts';
import { checkSection } from './check.ts';

/** The section `erp` for a database. */

const SQL_MAX = 20_000;
const sql = (description: string) => doc(text(SQL_MAX), description);

const row = doc(
  z.record(z.string(), z.json()),
  'Fields made by JSONata of the row as its columns tell it; they win over the columns.',
).optional();

const list = {
  query: sql(
    'The query of all rows. Its columns are named as the fields of the contract: price.amount. {filter} stands where conditions go.',
  ),
  changed: sql(
    'The condition of the rows that changed at or after :since. Without it, the list is always read whole.',
  ).optional(),
  row,
} as const;
const lines = sql(
  'The lines of the orders in (:ids), with order_id. Without it, the query has a column lines in JSON.',
).optional();

const step = z.strictObject({
  sql: sql('One statement. Values are named: :reference, :customer.name, :line.sku, :made.id.'),
  name: doc(
    text(40).regex(/^[a-z_][a-z0-9_]*$/, 'expected a name: small letters, digits and "_"'),
    'The name by which later statements use its answer: :made.id. The statement that makes the record is called made.',
  ).optional(),
  each: doc(z.enum(['lines', 'transports']), 'It runs once for each of these: :line.sku, :line.number.').optional(),
  when: doc(text(40), 'It runs only when this field is sent.').optional(),
  rows: doc(
    wholeNumber(0, 1_000_000),
    'How many rows it changes or finds; another number undoes the write.',
  ).optional(),
  message: doc(text(), 'The text of the failure when the number is another one.').optional(),
});
const steps = (description: string) => doc(z.array(step).min(1).max(100), description);
const condition = (parameter: string) => sql(`The condition, with ${parameter}. It stands in {filter}.`);

/** Keys for both presets and the configuration. */
export const description = z.strictObject({
  zone: doc(
    text(60).refine(isZone, 'expected the name of a time zone, such as Europe/Berlin or UTC'),
    'The time zone of the times that have none: what the clocks of those who write them show. In a wrong zone, changes are not seen.',
  ),
  lists: doc(
    z.strictObject({
      products: doc(z.strictObject(list), 'The products.'),
      stock: doc(z.strictObject(list), 'The stock. as_of and available need no columns.'),
      orders: doc(z.strictObject({ ...list, lines }), 'The orders.'),
      customers: doc(z.strictObject(list), 'The customers, where they are kept in step.').optional(),
      payments: doc(z.strictObject(list), 'The payments, where they are kept in step.').optional(),
      lots: doc(z.strictObject(list), 'The lots that stock lies in.').optional(),
    }),
    'The lists that are read, each in one snapshot.',
  ),
  finds: doc(
    z.strictObject({
      'products-by-sku': condition(':sku').optional(),
      'stock-by-sku': condition('in (:skus)'),
      'orders-by-reference': condition(':reference'),
      'order-by-id': condition(':id'),
      'customers-by-marketplace-id': condition(':marketplace_id').optional(),
      'payments-by-marketplace-id': condition(':marketplace_id').optional(),
    }),
    'How single records are found in the queries of lists.',
  ),
  writes: doc(
    z.strictObject({
      'order-create': steps('Makes an order.'),
      'order-update': steps('Changes the order with :id. A field that is not sent is null.'),
      'product-create': steps('Makes a product.').optional(),
      'customer-create': steps('Makes a customer.').optional(),
      'payment-create': steps('Records a payment.').optional(),
    }),
    'The writes, each as one transaction.',
  ),
  refused_for_now: doc(
    z
      .array(
        z.strictObject({
          code: doc(
            text(10),
            'The SQLSTATE of PostgreSQL, such as P0001 of a raise, or the number of MySQL, such as 1644 of a signal.',
          ),
          contains: doc(text(200), 'A part of the error text; any text when left out.').optional(),
          waits_for: doc(
            z.enum(AWAITED).prefault('time'),
            'The change that may mend it. stock: more stock in the ERP. product: a change of the product in the ERP. time: none that the ERP shows, so it is tried again every quarter of an hour, as the others are too.',
          ),
        }),
      )
      .max(50)
      .prefault([]),
    'Errors of the database that refuse a write because of the present state of the ERP. The first that fits counts. The write is tried again when that changes.',
  ),
});

export const section = z
  .strictObject({
    type: doc(z.literal('sql'), 'The ERP is a database: PostgreSQL, MariaDB or MySQL.'),
    extends: doc(
      text(300),
      'The statements for the database of a kind of ERP: the name of a shipped description, or a YAML file of yours. A key that is set here wins.',
    ).optional(),
    url: doc(
      text().refine(
        (url) => addressOf(url) !== null,
        'expected an address such as postgres://host:5432/database, mariadb://... or mysql://..., without user and password',
      ),
      'Where the database is: postgres://host:5432/database, mariadb://... or mysql://...',
    ),
    user: doc(text(200), 'The user of the database. Give it the least rights that the statements need.'),
    password: doc(secret(), 'Its password.'),
    tls: doc(
      z.enum(['on', 'off']),
      'Whether the connection is encrypted and the certificate checked: on, unless the database is on this machine.',
    ).optional(),
    tls_ca: doc(secret(), 'The certificates in PEM that are trusted in place of those of the system.').optional(),
    connections: doc(
      wholeNumber(2, 100).prefault(8),
      'The most connections at a time. Fewer are used while the database is slow.',
    ),
    ...commonKeys,
    ...description.shape,
  })
  // It also runs when another key is wrong, so that all errors are reported together.
  .superRefine(checkSection, { when: () => true });

export type Section = z.output<typeof section>;
