import { blob, index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../orm.ts';
import { account, atMs, causeOrNone } from './columns.ts';

/* How far both sides were read, and the findings. */

/** The cursor of each collection: the last `modified` that was read, exactly as the server sent it. */
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

/** The times that reads have covered. Times that touch are merged. They prove that no instant was passed over. */
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
 * Rows that do not fit the documented shape, or that could not be stored, under the id that could be read. Such an entity is
 * held.
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

/** Webhook deliveries. They are on the disk before they are answered. */
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

/** Small facts of an account: when a collection was last read, how large the ERP's last complete listing was. */
export const facts = sqliteTable(
  'facts',
  { account, name: text('name').notNull(), value: text('value').notNull(), updatedAtMs: atMs('updated_at_ms') },
  (t) => [primaryKey({ columns: [t.account, t.name] })],
);

/**
 * The newest changes of the ERP's stock, of the orders' shares of it, and of the orders' statuses. With them the past can be shown
 * and replayed. Each row has the figure before the change, so the past is calculated back from the present figures.
 */
export const stockHistory = sqliteTable(
  'stock_history',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    atMs: atMs('at_ms'),
    /**
     * reading: the ERP's available figure. order: an order's share of a listing. holding: the units that the ERP counts for an
     * order. status: the status of an order on one side.
     */
    kind: text('kind', { enum: ['reading', 'order', 'holding', 'status'] }).notNull(),
    /**
     * By kind: the ERP's product id, the listing's id, the SKU in the ERP, the order's number or id on the side of the status.
     */
    key: text('key').notNull(),
    /** By kind: the place of the reading if the ERP names one, the order's number, the ERP's order id, the side of the status. */
    part: text('part').notNull(),
    /** A quantity or a status. The effect stands before an order's quantity: `reserved 7`. null: there is no usable value. */
    before: text('before'),
    after: text('after'),
    /** On the ERP's clock: when the figure was taken, or since when the ERP counts the order. */
    asOf: text('as_of'),
  },
  (t) => [index('stock_history_by_key').on(t.account, t.kind, t.key, t.id)],
);

/** The marks of forgotten entities. While a mark stands, reads store nothing about the person again. */
export const forgotten = sqliteTable(
  'forgotten',
  {
    account,
    kind: text('kind', { enum: ['order', 'erp-order', 'customer', 'erp-customer'] }).notNull(),
    /** The number of an order of the marketplace. Otherwise the id. */
    id: text('id').notNull(),
    forgottenAtMs: atMs('forgotten_at_ms'),
  },
  (t) => [primaryKey({ columns: [t.account, t.kind, t.id] })],
);
