import { index, integer, primaryKey, sql, sqliteTable, text } from '../orm.ts';
import { account, atMs, flag } from './columns.ts';

export const orders = sqliteTable(
  'orders',
  {
    account,
    number: text('number').notNull(),
    status: text('status').notNull(),
    modified: text('modified').notNull(),
    externalId: text('external_id'),
    customerId: integer('customer_id'),
    customerName: text('customer_name'),
    discountAmount: text('discount_amount').notNull(),
    shippingAmount: text('shipping_amount'),
    taxAmount: text('tax_amount'),
    total: text('total'),
    deliveryState: text('delivery_state'),
    hasLines: flag('has_lines'),
    linesStatus: text('lines_status'),
    hash: text('hash').notNull(),
    raw: text('raw').notNull(),
    seenAtMs: atMs('seen_at_ms'),
    firstModified: text('first_modified'),
    firstStatus: text('first_status'),
    history: text('history', { enum: ['enter', 'leave'] }),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.number] }),
    index('orders_without_lines').on(t.account, t.hasLines, t.number),
    index('orders_by_modified').on(t.account, t.modified),
    index('orders_by_status').on(t.account, t.status, t.modified),
    index('orders_by_external_id').on(t.account, t.externalId),
    index('orders_by_customer').on(t.account, t.customerId),
    index('orders_by_customer_name').on(t.account, sql`lower("customer_name")`),
    index('orders_by_total').on(t.account, sql`cast("total" as numeric)`),
  ],
);

export const orderLines = sqliteTable(
  'order_lines',
  {
    account,
    number: text('number').notNull(),
    lineId: integer('line_id').notNull(),
    productId: integer('product_id').notNull(),
    quantity: text('quantity').notNull(),
    priceAmount: text('price_amount').notNull(),
    currency: text('currency').notNull(),
    salesAmount: text('sales_amount'),
    salesCurrency: text('sales_currency'),
    unitMultiplier: text('unit_multiplier'),
    late: flag('late'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.number, t.lineId] }),
    index('order_lines_by_product').on(t.account, t.productId),
  ],
);

/** The columns of stock figures are explained at `ListingFigures`. */
export const products = sqliteTable(
  'products',
  {
    account,
    id: integer('id').notNull(),
    sku: text('sku'),
    externalId: text('external_id'),
    name: text('name'),
    description: text('description'),
    priceAmount: text('price_amount'),
    currency: text('currency'),
    unitMultiplier: text('unit_multiplier'),
    quantity: text('quantity'),
    reserved: text('reserved'),
    available: text('available'),
    certain: flag('certain'),
    observedTick: integer('observed_tick').notNull(),
    releasedTick: integer('released_tick').notNull().default(0),
    unexplained: text('unexplained').notNull().default('0'),
    unseen: text('unseen').notNull().default('0'),
    archived: flag('archived'),
    managed: flag('managed'),
    modified: text('modified'),
    createdOn: text('created_on'),
    raw: text('raw').notNull(),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index('products_by_sku').on(t.account, t.sku),
    index('products_by_external_id').on(t.account, t.externalId),
    index('products_on_sale').on(t.account, t.archived, t.id),
  ],
);

/** Signs by which a listing may be recognised as an ERP product with another SKU (`domain/alike.ts`). */
export const listingSigns = sqliteTable(
  'listing_signs',
  { account, sign: text('sign').notNull(), listingId: integer('listing_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.account, t.sign, t.listingId] }),
    index('listing_signs_by_listing').on(t.account, t.listingId),
  ],
);

export const payments = sqliteTable(
  'payments',
  {
    account,
    id: text('id').notNull(),
    orderNumber: text('order_number').notNull(),
    total: text('total').notNull(),
    currency: text('currency'),
    type: text('type').notNull(),
    paidAt: text('paid_at'),
    createdAt: text('created_at'),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('payments_by_order').on(t.account, t.orderNumber)],
);

export const customers = sqliteTable(
  'customers',
  {
    account,
    id: integer('id').notNull(),
    name: text('name').notNull(),
    externalId: text('external_id'),
    licenseKey: text('license_key'),
    emailKey: text('email_key'),
    archived: flag('archived'),
    content: text('content').notNull(),
    modified: text('modified'),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.id] }),
    index('customers_by_external_id').on(t.account, t.externalId),
    index('customers_by_license').on(t.account, t.licenseKey),
    index('customers_by_email').on(t.account, t.emailKey),
    index('customers_by_modified').on(t.account, t.modified),
  ],
);

/** Full lists of the marketplace's names: categories, sub-categories, brands, product lines. */
export const names = sqliteTable(
  'names',
  {
    account,
    kind: text('kind', { enum: ['category', 'sub_category', 'brand', 'product_line'] }).notNull(),
    id: integer('id').notNull(),
    name: text('name').notNull(),
    /** The name in comparable form. */
    nameKey: text('name_key').notNull(),
    parentId: integer('parent_id'),
  },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.id] }), index('names_by_key').on(t.account, t.kind, t.nameKey)],
);

export const listingImages = sqliteTable(
  'listing_images',
  {
    account,
    id: integer('id').notNull(),
    listingId: integer('listing_id').notNull(),
    position: integer('position').notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('listing_images_by_listing').on(t.account, t.listingId)],
);

export const assignments = sqliteTable(
  'assignments',
  {
    account,
    listingId: integer('listing_id').notNull(),
    content: text('content').notNull(),
    tick: integer('tick').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.listingId] })],
);

export const measurements = sqliteTable(
  'measurements',
  {
    account,
    listingId: integer('listing_id').notNull(),
    rows: text('rows').notNull(),
    tick: integer('tick').notNull(),
    askedAtMs: atMs('asked_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.listingId] })],
);

export const batches = sqliteTable(
  'batches',
  {
    account,
    id: integer('id').notNull(),
    matchKey: text('match_key'),
    content: text('content').notNull(),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('batches_by_key').on(t.account, t.matchKey)],
);

export const transportOrders = sqliteTable(
  'transport_orders',
  {
    account,
    id: text('id').notNull(),
    orderKey: text('order_key'),
    status: text('status').notNull(),
    shippedAt: text('shipped_at'),
    deliveredAt: text('delivered_at'),
    expectedAt: text('expected_at'),
    requestedOn: text('requested_on'),
    tracking: text('tracking'),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('transport_orders_by_order').on(t.account, t.orderKey)],
);
