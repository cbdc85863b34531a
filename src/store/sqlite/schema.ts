import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from './orm.ts';

/*
 * Decimals are text, exact as the other side wrote them. Instants from the other sides are text as sent; our own times
 * (`...AtMs`) are epoch milliseconds and never enter a cursor. Every table carries the account.
 */
const account = text('account').notNull();
const atMs = (name: string) => integer(name).notNull();
const flag = (name: string) => integer(name, { mode: 'boolean' }).notNull().default(false);

/** How far each collection has been read: the last `modified` exactly as the server sent it. */
export const cursors = sqliteTable(
  'cursors',
  {
    account,
    collection: text('collection').notNull(),
    value: text('value').notNull(),
    updatedAtMs: atMs('updated_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.collection] })],
);

/** What reads have covered, without what touches: the certificate that no instant was passed over. */
export const coverage = sqliteTable(
  'coverage',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    collection: text('collection').notNull(),
    /** null: from the beginning. */
    fromInstant: text('from_instant'),
    toInstant: text('to_instant'),
    /** Rows that were read, some of them several times. */
    rows: integer('rows').notNull(),
    /** Of the last read. */
    finding: text('finding'),
    readAtMs: atMs('read_at_ms'),
  },
  (t) => [index('coverage_by_collection').on(t.account, t.collection, t.id)],
);

/** What belongs to what. `create-pending`: a create was begun and its answer is not known yet. */
export const mappings = sqliteTable(
  'mappings',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    kind: text('kind', { enum: ['product', 'order', 'customer', 'payment'] }).notNull(),
    marketplaceId: text('marketplace_id'),
    erpId: text('erp_id'),
    state: text('state', { enum: ['create-pending', 'linked'] }).notNull(),
    /** How the two were matched: created, external_id, sku, reference, operator. */
    how: text('how').notNull(),
    /** Fields last written and what the marketplace echoed, so that a normalising server makes no perpetual difference. */
    echoes: text('echoes').notNull().default('{}'),
    createdAtMs: atMs('created_at_ms'),
  },
  (t) => [
    uniqueIndex('mappings_by_marketplace').on(t.account, t.kind, t.marketplaceId),
    uniqueIndex('mappings_by_erp').on(t.account, t.kind, t.erpId),
  ],
);

/** Shadow of the marketplace's orders. */
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
    /** The status that the lines were read with: an answer without lines may have moved it on since. */
    linesStatus: text('lines_status'),
    hash: text('hash').notNull(),
    raw: text('raw').notNull(),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.number] }),
    index('orders_by_modified').on(t.account, t.modified),
    index('orders_by_status').on(t.account, t.status),
    index('orders_by_external_id').on(t.account, t.externalId),
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
    /** Added after Accepted: counted nowhere (spec 1, Rule). */
    late: flag('late'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.number, t.lineId] }),
    index('order_lines_by_product').on(t.account, t.productId),
  ],
);

/** Shadow of the marketplace's listings. The three figures are as observed, moved on by the orders seen since. */
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
    /** False when an order event may or may not be in the observed figures: then they are not trusted to skip a write. */
    certain: flag('certain'),
    /** When the figures were observed, on this installation's own counter of reads. */
    observedTick: integer('observed_tick').notNull(),
    /** Reserved by orders we do not know, at that observation. */
    unexplained: text('unexplained').notNull().default('0'),
    /** So much of it was at an observation long before that one, too, and is of no order that became known since. */
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
  ],
);

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
    /** In how many complete listings in a row it was absent. */
    absences: integer('absences').notNull().default(0),
    /** The complete listing that saw it last. */
    listing: integer('listing').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('erp_products_by_sku').on(t.account, t.sku)],
);

export const erpStock = sqliteTable(
  'erp_stock',
  {
    account,
    sku: text('sku').notNull(),
    productId: text('product_id').notNull(),
    /** Empty where the ERP names none. */
    location: text('location').notNull().default(''),
    batch: text('batch').notNull().default(''),
    onHand: text('on_hand').notNull(),
    reserved: text('reserved').notNull(),
    available: text('available').notNull(),
    /** The ERP's clock when this was its figure: the row's own, which may be older than the list it came in. */
    asOf: text('as_of').notNull(),
    /** A figure that cannot be: the SKU is held. */
    problem: text('problem'),
    /** This installation's count of reads when the figures became what they are. */
    changedTick: integer('changed_tick').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.productId, t.location, t.batch] }),
    index('erp_stock_by_sku').on(t.account, t.sku),
  ],
);

export const erpOrders = sqliteTable(
  'erp_orders',
  {
    account,
    id: text('id').notNull(),
    reference: text('reference').notNull(),
    origin: text('origin', { enum: ['marketplace', 'erp'] }).notNull(),
    status: text('status').notNull(),
    /** Customer, lines and money, as lossless JSON. */
    content: text('content').notNull(),
    changedAt: text('changed_at').notNull(),
    /** The ERP's clock when these lines were first seen counted (reserved or shipped); null while they are not. */
    countedSince: text('counted_since'),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.id] }), index('erp_orders_by_reference').on(t.account, t.reference)],
);

/** Shadow of the payments that the marketplace has of its orders. */
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

/** What the marketplace has names for, read whole: categories, sub-categories, brands, product lines. */
export const names = sqliteTable(
  'names',
  {
    account,
    kind: text('kind', { enum: ['category', 'sub_category', 'brand', 'product_line'] }).notNull(),
    id: integer('id').notNull(),
    name: text('name').notNull(),
    /** The name as it is compared. */
    nameKey: text('name_key').notNull(),
    /** The category of a sub-category, the brand of a product line, where the marketplace shows it. */
    parentId: integer('parent_id'),
  },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.id] }), index('names_by_key').on(t.account, t.kind, t.nameKey)],
);

/** Images that the ERP names for its products, as they were found at their addresses. */
export const erpImages = sqliteTable(
  'erp_images',
  {
    account,
    productId: text('product_id').notNull(),
    url: text('url').notNull(),
    /** SHA-256 of its bytes; null while it could not be fetched even once. */
    hash: text('hash'),
    etag: text('etag'),
    /** Why the last fetch did not succeed. */
    failure: text('failure'),
    checkedAtMs: atMs('checked_at_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.productId, t.url] }),
    index('erp_images_by_check').on(t.account, t.checkedAtMs),
  ],
);

/** Images of listings that were uploaded from here, or taken for such. */
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

/** Shadow of the marketplace's customers. */
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
    /** The fields that are kept in step, by their names on the wire, as JSON. */
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

export const erpCustomers = sqliteTable(
  'erp_customers',
  {
    account,
    id: text('id').notNull(),
    name: text('name').notNull(),
    marketplaceId: integer('marketplace_id'),
    licenseKey: text('license_key'),
    emailKey: text('email_key'),
    /** The ERP says that it is inactive or deleted. */
    gone: flag('gone'),
    /** The whole customer as the connector gave it, as JSON. */
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

/** Rows that do not fit the documented shape, by what can be told of them; such an entity is held. */
export const misfits = sqliteTable(
  'misfits',
  {
    account,
    collection: text('collection').notNull(),
    what: text('what').notNull(),
    path: text('path').notNull(),
    message: text('message').notNull(),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.collection, t.what] })],
);

/** Writes without an idempotency key: committed before the call, settled after its answer. */
export const intents = sqliteTable(
  'intents',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    /** erp-order | product | marketplace-order | customer | reconcile | erp-payment | marketplace-payment | transition | unseen-sale. */
    kind: text('kind').notNull(),
    /** The entity it is about, in its flow's spelling. */
    key: text('key').notNull(),
    externalId: text('external_id').notNull(),
    /** What was sent, as far as it is needed to find it again where no external id is kept. */
    sent: text('sent').notNull().default(''),
    /**
     * open: may have been applied. applied, refused: settled. in-doubt: waits for an operator. dropped: an operator gave
     * it up, and it is not tried again while the entity stays as it is.
     */
    state: text('state', { enum: ['open', 'applied', 'refused', 'in-doubt', 'dropped'] }).notNull(),
    evidence: text('evidence').notNull().default(''),
    /** Ids of what may be it, as JSON. */
    candidates: text('candidates').notNull().default('[]'),
    /** What the entity was like when it was dropped. */
    droppedAs: text('dropped_as'),
    sentAtMs: atMs('sent_at_ms'),
    settledAtMs: integer('settled_at_ms'),
  },
  (t) => [index('intents_by_key').on(t.account, t.kind, t.key), index('intents_by_state').on(t.state)],
);

/** Shadow of what the marketplace shows of a listing by facility and batch. */
export const measurements = sqliteTable(
  'measurements',
  {
    account,
    listingId: integer('listing_id').notNull(),
    /** Every facility and batch with its figures, as JSON. */
    rows: text('rows').notNull(),
    /** When they were asked for: on this installation's own counter of reads, and by its clock. */
    tick: integer('tick').notNull(),
    askedAtMs: atMs('asked_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.listingId] })],
);

/** What an intent to reconcile asks for, and the command that the marketplace made of it. Its state is the intent's. */
export const reconciles = sqliteTable('reconciles', {
  intentId: integer('intent_id').primaryKey(),
  listingId: integer('listing_id').notNull(),
  facilityId: integer('facility_id').notNull(),
  batchId: integer('batch_id').notNull(),
  toQuantity: text('to_quantity').notNull(),
  /** What was reserved there when it was decided. */
  reserved: text('reserved').notNull(),
  /** null while its answer is outstanding, and for ever when that was lost. */
  commandId: integer('command_id'),
  /** When what became of it was looked for last. */
  lookedAtMs: atMs('looked_at_ms'),
  /** What the marketplace said when it failed. */
  failure: text('failure'),
});

/** Webhook deliveries, durable before they are answered. */
export const inbox = sqliteTable(
  'inbox',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    kind: text('kind', { enum: ['orders', 'products'] }).notNull(),
    bodyHash: text('body_hash').notNull(),
    body: blob('body', { mode: 'buffer' }).notNull(),
    receivedAtMs: atMs('received_at_ms'),
    processedAtMs: integer('processed_at_ms'),
  },
  (t) => [
    uniqueIndex('inbox_by_body').on(t.account, t.kind, t.bodyHash),
    index('inbox_by_processed').on(t.processedAtMs, t.account, t.kind),
  ],
);

/** What still has to be looked at: the truth from which the queue is rebuilt at any time. */
export const work = sqliteTable(
  'work',
  {
    account,
    flow: text('flow').notNull(),
    key: text('key').notNull(),
    /** Raised by every change of the entity, so that a change during a job is not lost. */
    version: integer('version').notNull(),
    lane: text('lane', { enum: ['operator', 'webhook', 'poll', 'backfill'] }).notNull(),
    reason: text('reason').notNull(),
    /** pending: to be looked at. held: waits for a condition or an operator. failed: in the failed jobs. */
    state: text('state', { enum: ['pending', 'held', 'failed'] }).notNull(),
    holdReason: text('hold_reason'),
    notBeforeMs: integer('not_before_ms').notNull().default(0),
    sinceMs: atMs('since_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.flow, t.key] }), index('work_by_state').on(t.state, t.lane, t.sinceMs)],
);

/** Dead letters: they stay until replayed or discarded. */
export const failedJobs = sqliteTable(
  'failed_jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    flow: text('flow').notNull(),
    key: text('key').notNull(),
    /** The cause they are grouped by: `marketplace refused`, `erp misfit`. */
    cause: text('cause').notNull(),
    message: text('message').notNull(),
    attempts: integer('attempts').notNull(),
    failedAtMs: atMs('failed_at_ms'),
  },
  (t) => [uniqueIndex('failed_jobs_by_key').on(t.account, t.flow, t.key)],
);

/** Every write and its reason: what, from, to, why, answer, when. */
export const journal = sqliteTable(
  'journal',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    atMs: atMs('at_ms'),
    flow: text('flow').notNull(),
    key: text('key').notNull(),
    /** What was done: `product.archive`, `stock.write`, `erp-order.create` ... */
    action: text('action').notNull(),
    target: text('target').notNull(),
    before: text('before'),
    after: text('after'),
    why: text('why').notNull(),
    /** written | refused | unknown | dry-run | noted. */
    outcome: text('outcome').notNull(),
    answer: text('answer').notNull().default(''),
  },
  (t) => [
    index('journal_by_key').on(t.account, t.flow, t.key),
    index('journal_by_action').on(t.account, t.action, t.atMs),
  ],
);

/**
 * What operators did. Rows are only ever added, and each carries the hash of the row before it, so that none can be changed
 * or taken away unseen; triggers refuse both.
 */
export const audit = sqliteTable(
  'audit',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    atMs: atMs('at_ms'),
    /** Of the system's user, of a token's role, or of the daemon itself. */
    who: text('who').notNull(),
    /** Empty where it concerns the whole installation. */
    account,
    flow: text('flow').notNull(),
    key: text('key').notNull(),
    action: text('action').notNull(),
    target: text('target').notNull(),
    before: text('before'),
    after: text('after'),
    outcome: text('outcome').notNull(),
    /** The row whose result this one tells. */
    resultOf: integer('result_of'),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [index('audit_by_result').on(t.resultOf), index('audit_by_action').on(t.account, t.action)],
);

/** Replays whose result is not known yet. */
export const replays = sqliteTable(
  'replays',
  {
    account,
    flow: text('flow').notNull(),
    key: text('key').notNull(),
    /** The row of the audit log that asked for it. */
    auditId: integer('audit_id').notNull(),
    /** The newest entry of the journal when it was asked for. */
    journalId: integer('journal_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.flow, t.key] })],
);

/** Stopped flows. */
export const pauses = sqliteTable(
  'pauses',
  { account, flow: text('flow').notNull(), reason: text('reason').notNull(), sinceMs: atMs('since_ms') },
  (t) => [primaryKey({ columns: [t.account, t.flow] })],
);

/** Small facts of an account: when a collection was last read, how large the ERP's last complete listing was. */
export const facts = sqliteTable(
  'facts',
  { account, name: text('name').notNull(), value: text('value').notNull(), updatedAtMs: atMs('updated_at_ms') },
  (t) => [primaryKey({ columns: [t.account, t.name] })],
);

/** Writes that a brake holds for an operator, those of one kind together. A plan goes when its last item does. */
export const brakePlans = sqliteTable(
  'brake_plans',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    flow: text('flow').notNull(),
    /** archive | zero | increase | price | reject. */
    kind: text('kind').notNull(),
    /** Everything of this kind waits; else only what is in the plan, each for itself. */
    holdsAll: flag('holds_all'),
    /** The limit that everything of this kind exceeds. Where each waits for itself, its item says why. */
    reason: text('reason').notNull(),
    state: text('state', { enum: ['open', 'approved', 'dropped'] }).notNull(),
    createdAtMs: atMs('created_at_ms'),
    /** An open plan cannot be approved after it; an approval counts until then. */
    expiresAtMs: atMs('expires_at_ms'),
    decidedBy: text('decided_by'),
  },
  (t) => [index('brake_plans_by_kind').on(t.account, t.flow, t.kind, t.state)],
);

/** One write of a plan: gone once it was made, or is not to be made any more. */
export const brakeItems = sqliteTable(
  'brake_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    planId: integer('plan_id').notNull(),
    account,
    flow: text('flow').notNull(),
    key: text('key').notNull(),
    action: text('action').notNull(),
    target: text('target').notNull(),
    before: text('before'),
    after: text('after'),
    why: text('why').notNull(),
    /** The limit for which it is held. */
    reason: text('reason').notNull(),
    /** held: nobody has decided. vetoed, dropped: not to be written as long as it is the same. */
    state: text('state', { enum: ['held', 'approved', 'vetoed', 'dropped'] }).notNull(),
  },
  (t) => [
    uniqueIndex('brake_items_by_write').on(t.account, t.flow, t.key, t.action, t.target),
    index('brake_items_by_plan').on(t.planId, t.id),
  ],
);

/** Where a listing showed other figures than its shadow foretold. One of a listing is open; those that are settled say what it was. */
export const drifts = sqliteTable(
  'drifts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    listingId: integer('listing_id').notNull(),
    /** When it was observed, on this installation's own counter of reads. */
    tick: integer('tick').notNull(),
    /** Shown less foretold. */
    quantity: text('quantity').notNull(),
    reserved: text('reserved').notNull(),
    shownQuantity: text('shown_quantity').notNull(),
    shownReserved: text('shown_reserved').notNull(),
    /** False when what was foretold was in doubt itself. */
    certain: flag('certain'),
    /** How orders that became known since moved the figures, as JSON. */
    moves: text('moves').notNull().default('[]'),
    /** null: it is not judged yet. */
    kind: text('kind', { enum: ['edited', 'unknown-order', 'late-line', 'own-write'] }),
    note: text('note').notNull().default(''),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [index('drifts_by_listing').on(t.account, t.listingId, t.id), index('drifts_by_kind').on(t.account, t.kind)],
);

/**
 * What changed in the ERP's stock and in what orders take of it, so that it can be played again; the newest of it. Each
 * row has what was before, so that the past is told from what is now.
 */
export const stockHistory = sqliteTable(
  'stock_history',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    atMs: atMs('at_ms'),
    /** reading: of the ERP's available figure. order: what it has of a listing. holding: what the ERP counts for one. */
    kind: text('kind', { enum: ['reading', 'order', 'holding'] }).notNull(),
    /** The ERP's product id, the listing's id, the SKU in the ERP. */
    key: text('key').notNull(),
    /** The place of a reading, where the ERP names one; the order's number; the ERP's order id. */
    part: text('part').notNull(),
    /** A quantity, that of an order with its effect before it: `reserved 7`. null: none, or none that can be used. */
    before: text('before'),
    after: text('after'),
    /** On the ERP's clock: when it looked, since when it counts that. */
    asOf: text('as_of'),
  },
  (t) => [index('stock_history_by_key').on(t.account, t.kind, t.key, t.id)],
);
