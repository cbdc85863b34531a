import type { AnyCause } from '../../../domain/causes/entry.ts';
import { index, integer, sqliteTable, text, uniqueIndex } from '../orm.ts';
import { account, atMs, change, flag, workKey } from './columns.ts';

export const journal = sqliteTable(
  'journal',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    ...workKey,
    ...change,
    atMs: atMs('at_ms'),
    why: text('why').notNull(),
    outcome: text('outcome', { enum: ['sent', 'written', 'refused', 'unknown', 'dry-run', 'noted'] }).notNull(),
    answer: text('answer').notNull().default(''),
  },
  (t) => [
    index('journal_by_entity').on(t.account, t.key, t.flow),
    index('journal_by_action').on(t.account, t.action, t.atMs),
    index('journal_by_flow').on(t.flow, t.id),
  ],
);

/**
 * The acts of operators, append-only. Each row has the previous row's hash, so a change or deletion is noticed.
 * Triggers refuse both.
 */
export const audit = sqliteTable(
  'audit',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    atMs: atMs('at_ms'),
    who: text('who').notNull(),
    ...workKey,
    ...change,
    outcome: text('outcome').notNull(),
    resultOf: integer('result_of'),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [
    index('audit_by_result').on(t.resultOf),
    index('audit_by_action').on(t.account, t.action),
    index('audit_by_entity').on(t.account, t.key),
  ],
);

/** The writes of one kind that a brake holds for an operator. A plan is deleted with its last item. */
export const brakePlans = sqliteTable(
  'brake_plans',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    flow: text('flow').notNull(),
    kind: text('kind').notNull(),
    holdsAll: flag('holds_all'),
    reason: text('reason', { mode: 'json' }).notNull().$type<AnyCause>(),
    state: text('state', { enum: ['open', 'approved', 'dropped'] }).notNull(),
    createdAtMs: atMs('created_at_ms'),
    expiresAtMs: atMs('expires_at_ms'),
    decidedBy: text('decided_by'),
  },
  (t) => [index('brake_plans_by_kind').on(t.account, t.flow, t.kind, t.state)],
);

/** A write of a plan. Deleted once it was made or is no longer wanted. */
export const brakeItems = sqliteTable(
  'brake_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    planId: integer('plan_id').notNull(),
    ...workKey,
    ...change,
    why: text('why').notNull(),
    reason: text('reason', { mode: 'json' }).notNull().$type<AnyCause>(),
    state: text('state', { enum: ['held', 'approved', 'vetoed', 'dropped'] }).notNull(),
  },
  (t) => [
    uniqueIndex('brake_items_by_write').on(t.account, t.flow, t.key, t.action, t.target),
    index('brake_items_by_plan').on(t.planId, t.id),
  ],
);

/** Listings with unexpected figures (`OpenDrift`); at most one open drift per listing. */
export const drifts = sqliteTable(
  'drifts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    account,
    listingId: integer('listing_id').notNull(),
    tick: integer('tick').notNull(),
    quantity: text('quantity').notNull(),
    reserved: text('reserved').notNull(),
    shownQuantity: text('shown_quantity').notNull(),
    shownReserved: text('shown_reserved').notNull(),
    certain: flag('certain'),
    moves: text('moves').notNull().default('[]'),
    kind: text('kind', { enum: ['edited', 'unknown-order', 'late-line', 'own-write'] }),
    note: text('note').notNull().default(''),
    seenAtMs: atMs('seen_at_ms'),
  },
  (t) => [index('drifts_by_listing').on(t.account, t.listingId, t.id), index('drifts_by_kind').on(t.account, t.kind)],
);
