import { index, integer, primaryKey, sql, sqliteTable, text } from '../orm.ts';
import { account, atMs, flag } from './columns.ts';

export const erpProducts = sqliteTable(
  'erp_products',
  {
    account,
    id: text('id').notNull(),
    sku: text('sku').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    active: flag('active'),
    deleted: flag('deleted'),
    priceAmount: text('price_amount').notNull(),
    currency: text('currency').notNull(),
    unitMultiplier: text('unit_multiplier').notNull(),
    attributes: text('attributes').notNull(),
    changedAt: text('changed_at').notNull(),
    absences: integer('absences').notNull().default(0),
    /** The last full list that contained the product. */
    listing: integer('listing').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index('erp_products_by_sku').on(t.account, t.sku),
    index('erp_products_sold').on(t.account, t.active, t.deleted, t.absences, t.id),
    index('erp_products_by_name').on(t.account, sql`lower("name")`),
    index('erp_products_by_price').on(t.account, sql`cast("price_amount" as numeric)`),
  ],
);

export const erpStock = sqliteTable(
  'erp_stock',
  {
    account,
    sku: text('sku').notNull(),
    productId: text('product_id').notNull(),
    /** Empty: no location. */
    location: text('location').notNull().default(''),
    batch: text('batch').notNull().default(''),
    onHand: text('on_hand').notNull(),
    reserved: text('reserved').notNull(),
    available: text('available').notNull(),
    /** The ERP time of the figure: the row's own, perhaps older than its list. */
    asOf: text('as_of').notNull(),
    /** Why the figure is impossible. The SKU is then held. */
    problem: text('problem'),
    changedTick: integer('changed_tick').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.productId, t.location, t.batch] }),
    index('erp_stock_by_sku').on(t.account, t.sku),
  ],
);

export const erpLots = sqliteTable(
  'erp_lots',
  {
    account,
    id: text('id').notNull(),
    productId: text('product_id').notNull(),
    /** The lot's name: the batch of stock rows. */
    batch: text('batch').notNull(),
    attributesText: text('attributes').notNull(),
    changedAt: text('changed_at').notNull(),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('erp_lots_by_batch').on(t.account, t.productId, t.batch)],
);

export const erpOrders = sqliteTable(
  'erp_orders',
  {
    account,
    id: text('id').notNull(),
    reference: text('reference').notNull(),
    origin: text('origin', { enum: ['marketplace', 'erp'] }).notNull(),
    status: text('status').notNull(),
    content: text('content').notNull(),
    changedAt: text('changed_at').notNull(),
    countedSince: text('counted_since'),
    seenAtMs: atMs('seen_at_ms'),
    changedTick: integer('changed_tick').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index('erp_orders_by_reference').on(t.account, t.reference),
    index('erp_orders_by_customer').on(t.account, sql`"content" ->> '$.customer.id'`),
    index('erp_orders_by_shop_customer').on(t.account, sql`"content" ->> '$.customer.marketplaceId'`),
  ],
);

export const erpPayments = sqliteTable(
  'erp_payments',
  {
    account,
    id: text('id').notNull(),
    reference: text('reference').notNull(),
    amount: text('amount').notNull(),
    currency: text('currency').notNull(),
    method: text('method'),
    receivedAt: text('received_at'),
    marketplaceId: text('marketplace_id'),
    voided: flag('voided'),
    changedAt: text('changed_at').notNull(),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('erp_payments_by_reference').on(t.account, t.reference)],
);

export const erpImages = sqliteTable(
  'erp_images',
  {
    account,
    productId: text('product_id').notNull(),
    url: text('url').notNull(),
    hash: text('hash'),
    etag: text('etag'),
    failure: text('failure'),
    checkedAtMs: atMs('checked_at_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.productId, t.url] }),
    index('erp_images_by_check').on(t.account, t.checkedAtMs),
  ],
);

export const erpCustomers = sqliteTable(
  'erp_customers',
  {
    account,
    id: text('id').notNull(),
    name: text('name').notNull(),
    marketplaceId: integer('marketplace_id'),
    licenseKey: text('license_key'),
    emailKey: text('email_key'),
    gone: flag('gone'),
    content: text('content').notNull(),
    changedAt: text('changed_at'),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index('erp_customers_by_marketplace').on(t.account, t.marketplaceId),
    index('erp_customers_by_license').on(t.account, t.licenseKey),
    index('erp_customers_by_email').on(t.account, t.emailKey),
  ],
);
