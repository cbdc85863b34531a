import type { Cause } from '../../../domain/causes/cause.ts';
import type { FailureCode } from '../../../domain/causes/reads.ts';
import type { BaseRecord } from '../../../domain/order-base.ts';
import type { Echoes } from '../../links.ts';
import { LANES } from '../../work.ts';
import { index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../orm.ts';
import { account, atMs, causeOrNone, workKey } from './columns.ts';

/** The entities with pending work. The queue can be rebuilt from these rows at any time. */
export const work = sqliteTable(
  'work',
  {
    ...workKey,
    version: integer('version').notNull(),
    lane: text('lane', { enum: LANES }).notNull(),
    reason: text('reason').notNull(),
    state: text('state', { enum: ['pending', 'held', 'failed'] }).notNull(),
    heldFor: text('hold_reason', { mode: 'json' }).$type<readonly Cause[]>(),
    heldSinceMs: integer('held_since_ms'),
    notBeforeMs: integer('not_before_ms').notNull().default(0),
    sinceMs: atMs('since_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.flow, t.key] }),
    index('work_by_state').on(t.account, t.state, t.lane, t.sinceMs),
  ],
);

export const failedJobs = sqliteTable(
  'failed_jobs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    ...workKey,
    cause: text('cause').notNull().$type<FailureCode>(),
    message: text('message').notNull(),
    attempts: integer('attempts').notNull(),
    failedAtMs: atMs('failed_at_ms'),
  },
  (t) => [uniqueIndex('failed_jobs_by_key').on(t.account, t.flow, t.key)],
);

export const replays = sqliteTable(
  'replays',
  {
    ...workKey,
    auditId: integer('audit_id').notNull(),
    /** The newest journal entry at the time of the request. */
    journalId: integer('journal_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.flow, t.key] })],
);

/** Writes without an idempotency key. An intent is committed before the call and settled after the answer. */
export const intents = sqliteTable(
  'intents',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    kind: text('kind').notNull(),
    key: text('key').notNull(),
    externalId: text('external_id').notNull(),
    sent: text('sent').notNull().default(''),
    state: text('state', { enum: ['open', 'applied', 'refused', 'in-doubt', 'dropped'] }).notNull(),
    evidence: causeOrNone('evidence').notNull().default(sql`''`),
    candidates: text('candidates').notNull().default('[]'),
    droppedAs: text('dropped_as'),
    sentAtMs: atMs('sent_at_ms'),
    /** When the request began to leave this machine. null: it did not leave, unless the machine went down since. */
    leftAtMs: integer('left_at_ms'),
    settledAtMs: integer('settled_at_ms'),
  },
  (t) => [index('intents_by_key').on(t.account, t.kind, t.key), index('intents_by_state').on(t.state)],
);

/** The figure that a reconcile sets, and the marketplace's command. The state is in the intent. */
export const reconciles = sqliteTable('reconciles', {
  intentId: integer('intent_id').primaryKey(),
  listingId: integer('listing_id').notNull(),
  facilityId: integer('facility_id').notNull(),
  batchId: integer('batch_id').notNull(),
  toQuantity: text('to_quantity').notNull(),
  /** The units reserved there when the reconcile was decided. */
  reserved: text('reserved').notNull(),
  /** null: the answer is outstanding or lost. */
  commandId: integer('command_id'),
  lookedAtMs: atMs('looked_at_ms'),
  failure: text('failure'),
});

/** The links of both sides. `create-pending`: a create whose answer is unknown. */
export const mappings = sqliteTable(
  'mappings',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    kind: text('kind', { enum: ['product', 'order', 'customer', 'payment', 'batch'] }).notNull(),
    marketplaceId: text('marketplace_id'),
    erpId: text('erp_id'),
    state: text('state', { enum: ['create-pending', 'linked'] }).notNull(),
    how: text('how').notNull(),
    echoes: text('echoes', { mode: 'json' }).notNull().default({}).$type<Echoes>(),
    createdAtMs: atMs('created_at_ms'),
  },
  (t) => [
    uniqueIndex('mappings_by_marketplace').on(t.account, t.kind, t.marketplaceId),
    uniqueIndex('mappings_by_erp').on(t.account, t.kind, t.erpId),
  ],
);

export const pauses = sqliteTable(
  'pauses',
  { account, flow: text('flow').notNull(), reason: text('reason').notNull(), sinceMs: atMs('since_ms') },
  (t) => [primaryKey({ columns: [t.account, t.flow] })],
);

export const orderBases = sqliteTable(
  'order_bases',
  {
    account,
    number: text('number').notNull(),
    record: text('record', { mode: 'json' }).notNull().$type<BaseRecord>(),
  },
  (t) => [primaryKey({ columns: [t.account, t.number] })],
);
