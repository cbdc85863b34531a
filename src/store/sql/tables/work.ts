import type { Cause } from '../../../domain/causes/cause.ts';
import type { FailureCode } from '../../../domain/causes/reads.ts';
import type { BaseRecord } from '../../../domain/order-base.ts';
import type { Echoes } from '../../links.ts';
import { LANES } from '../../work.ts';
import { index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../orm.ts';
import { account, atMs, causeOrNone, workKey } from './columns.ts';

/* Work that is left, writes that were begun, and links. */

/** The entities that still have to be looked at. The queue can be rebuilt from these rows at any time. */
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

/** The failed jobs (dead letters). A failed job stays until it is replayed or discarded. */
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

/** Replays whose result is not known yet. */
export const replays = sqliteTable(
  'replays',
  {
    ...workKey,
    /** The row of the audit log that asked for the replay. */
    auditId: integer('audit_id').notNull(),
    /** The newest entry of the journal when the replay was asked for. */
    journalId: integer('journal_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.flow, t.key] })],
);

/** Writes without an idempotency key. An intent is committed before the call, and settled after the answer. */
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

/** The figure that an intent to reconcile asks for, and the marketplace's command. The state is in the intent. */
export const reconciles = sqliteTable('reconciles', {
  intentId: integer('intent_id').primaryKey(),
  listingId: integer('listing_id').notNull(),
  facilityId: integer('facility_id').notNull(),
  batchId: integer('batch_id').notNull(),
  toQuantity: text('to_quantity').notNull(),
  /** The units that were reserved there when the reconcile was decided. */
  reserved: text('reserved').notNull(),
  /** null while the answer is outstanding. It stays null when the answer was lost. */
  commandId: integer('command_id'),
  /** When the result of the command was last looked for. */
  lookedAtMs: atMs('looked_at_ms'),
  /** The marketplace's reason when the command failed. */
  failure: text('failure'),
});

/** The links of both sides. `create-pending`: a create was begun and its answer is not known yet. */
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

/** Stopped flows. */
export const pauses = sqliteTable(
  'pauses',
  { account, flow: text('flow').notNull(), reason: text('reason').notNull(), sinceMs: atMs('since_ms') },
  (t) => [primaryKey({ columns: [t.account, t.flow] })],
);

/** The last state of an order on which both sides agreed, by the marketplace's number. */
export const orderBases = sqliteTable(
  'order_bases',
  {
    account,
    number: text('number').notNull(),
    record: text('record', { mode: 'json' }).notNull().$type<BaseRecord>(),
  },
  (t) => [primaryKey({ columns: [t.account, t.number] })],
);
