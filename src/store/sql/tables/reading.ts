import { blob, index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../orm.ts';
import { account, atMs, causeOrNone } from './columns.ts';

/** The last `modified` read of each collection, exactly as the server sent it. */
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

/** Times covered by reads, merged where adjacent. They prove that no time was skipped. */
export const coverage = sqliteTable(
  'coverage',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    collection: text('collection').notNull(),
    fromInstant: text('from_instant'),
    toInstant: text('to_instant'),
    rows: integer('rows').notNull(),
    finding: text('finding'),
    readAtMs: atMs('read_at_ms'),
  },
  (t) => [index('coverage_by_collection').on(t.account, t.collection, t.id)],
);

/**
 * Rows that break the documented shape or could not be stored, by the id that could be read. Such an entity is held.
 */
export const invalidRows = sqliteTable(
  'invalid_rows',
  {
    account,
    collection: text('collection').notNull(),
    what: text('what').notNull(),
    path: text('path').notNull(),
    message: text('message').notNull(),
    cause: causeOrNone('cause').notNull().default(sql`''`),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.collection, t.what] })],
);

/** Webhook deliveries, stored before they are answered. */
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
    entity: text('entity'),
  },
  (t) => [
    uniqueIndex('inbox_by_body').on(t.account, t.kind, t.bodyHash),
    index('inbox_by_entity').on(t.account, t.kind, t.entity),
    index('inbox_by_processed').on(t.processedAtMs, t.account, t.kind),
  ],
);

/** Small facts of an account, such as when a collection was last read. */
export const facts = sqliteTable(
  'facts',
  { account, name: text('name').notNull(), value: text('value').notNull(), updatedAtMs: atMs('updated_at_ms') },
  (t) => [primaryKey({ columns: [t.account, t.name] })],
);

/**
 * Changes of the ERP's stock, of the orders' shares of it, and of order statuses, to show and replay the past. A row
 * has the figure before the change, so the past is computed back from the present.
 */
export const stockHistory = sqliteTable(
  'stock_history',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    atMs: atMs('at_ms'),
    /**
     * reading: the ERP's available figure. order: an order's units of a listing. holding: the units that the ERP counts
     * for an order. status: an order's status on one side.
     */
    kind: text('kind', { enum: ['reading', 'order', 'holding', 'status'] }).notNull(),
    /** By kind: the ERP product id, the listing id, the ERP SKU, the order's number or id on the side of the status. */
    key: text('key').notNull(),
    /** By kind: the location, if any; the order number; the ERP order id; the side of the status. */
    part: text('part').notNull(),
    /** A quantity or a status. An order's quantity follows its effect: `reserved 7`. null: no usable value. */
    before: text('before'),
    after: text('after'),
    /** The ERP time at which the figure was taken, or since when it counts the order. */
    asOf: text('as_of'),
  },
  (t) => [index('stock_history_by_key').on(t.account, t.kind, t.key, t.id)],
);

/** Marks of erased entities. Meanwhile, reads store no personal data of theirs. */
export const forgotten = sqliteTable(
  'forgotten',
  {
    account,
    kind: text('kind', { enum: ['order', 'erp-order', 'customer', 'erp-customer'] }).notNull(),
    /** The number of a marketplace order; otherwise the id. */
    id: text('id').notNull(),
    forgottenAtMs: atMs('forgotten_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.id] })],
);
