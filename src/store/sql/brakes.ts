import { createHash } from 'node:crypto';
import { APPROVED, isDecided } from '../../domain/brake.ts';
import type { BrakedWrite, BrakeItem, BrakeLimit, BrakePlan, BrakePool, BrakeStore, PlannedItem } from '../record.ts';
import type { Database, Queryable, Readable } from './database.ts';
import { and, asc, desc, eq, gte, inArray, lte, or, sql } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { dropEmptyPlans, removeItems } from './plan-items.ts';
import { built, countsBy, matching, rowBy, rowsBy, rowsWhere, selecting, updateWhere } from './queries.ts';
import { brakeItems, brakePlans, journal } from './tables/record.ts';
import { work } from './tables/work.ts';
import { isHeldFor } from './work.ts';

type HashedItem = Pick<BrakeItem, 'id' | 'key' | 'action' | 'target' | 'after' | 'state'>;

/** The hash to which an approval is bound: over the plan and each write that it would let pass. */
export function hashOf(plan: BrakePlan, items: readonly HashedItem[]): string {
  const { id, account, flow, kind } = plan;
  const writes = items
    .filter(({ state }) => state !== 'approved')
    .toSorted((a, b) => a.id - b.id)
    .map(({ key, action, target, after }) => [key, action, target, after]);
  return createHash('sha256')
    .update(JSON.stringify([id, account, flow, kind, writes]))
    .digest('hex')
    .slice(0, 16);
}

export const openOfPool = rowsBy(brakePlans, ['account', 'flow', 'kind', 'state']);

const findItem = rowBy(brakeItems, 'account', 'flow', 'key', 'action', 'target');

const findItems = built((db) =>
  db
    .select({ item: brakeItems, plan: brakePlans })
    .from(brakeItems)
    .innerJoin(brakePlans, eq(brakePlans.id, brakeItems.planId))
    .where(matching(brakeItems, 'account', 'flow', 'key'))
    .prepare(),
);

const HASHED = {
  id: brakeItems.id,
  key: brakeItems.key,
  action: brakeItems.action,
  target: brakeItems.target,
  after: brakeItems.after,
  state: brakeItems.state,
};

const findHashed = selecting(HASHED, (db, fields) =>
  db.select(fields).from(brakeItems).where(matching(brakeItems, 'planId')).orderBy(asc(brakeItems.id)),
);

function isPool({ account, flow, kind }: BrakePool) {
  return and(eq(brakePlans.account, account), eq(brakePlans.flow, flow), eq(brakePlans.kind, kind));
}

const itemsOf = (db: Readable, account: string, flow: string, key: string): PlannedItem[] =>
  findItems(db)
    .all({ account, flow, key })
    .map(({ item, plan: { holdsAll, expiresAtMs, decidedBy, reason } }) => {
      return { ...item, holdsAll, expiresAtMs, decidedBy, planReason: reason };
    });

export const brakeReads = {
  itemsOf({ db }, account, flow, key) {
    return itemsOf(db, account, flow, key);
  },

  holdingAll({ db }, { account, flow, kind }) {
    const open = openOfPool(db, { account, flow, kind, state: 'open' });
    return open.find(({ holdsAll }) => holdsAll) ?? null;
  },

  decided({ db, nowMs }, pool) {
    const rows = db
      .select({ item: brakeItems, expiresAtMs: brakePlans.expiresAtMs })
      .from(brakeItems)
      .innerJoin(brakePlans, eq(brakePlans.id, brakeItems.planId))
      .where(isPool(pool))
      .all();
    return rows
      .filter(({ item, expiresAtMs }) => isDecided({ state: item.state, expiresAtMs }, nowMs))
      .map(({ item }) => item);
  },

  list({ db }, account) {
    const isOf = account === undefined ? undefined : eq(brakePlans.account, account);
    const plans = rowsWhere(db, brakePlans, isOf, { order: [asc(brakePlans.id)] });
    return plans.map((plan) => {
      const items = itemsOfPlan(db, plan.id);
      return { plan, items, hash: hashOf(plan, items) };
    });
  },

  open({ db }, account) {
    const isOpen = and(eq(brakePlans.account, account), eq(brakePlans.state, 'open'));
    const plans = rowsWhere(db, brakePlans, isOpen, { order: [asc(brakePlans.id)] });
    return plans.map((plan) => {
      const items = findHashed(db).all({ planId: plan.id });
      const [first] = rowsWhere(db, brakeItems, eq(brakeItems.id, items[0]?.id ?? 0));
      return { plan, count: items.length, first: first ?? null, hash: hashOf(plan, items) };
    });
  },

  openPlans({ db }) {
    const { account, kind, state } = brakePlans;
    return countsBy(db, brakePlans, { account, kind }, eq(state, 'open'));
  },

  waitingKeys({ db, nowMs }, account, flows) {
    const due = and(eq(work.state, 'pending'), lte(work.notBeforeMs, nowMs));
    const isUnlinked = and(eq(work.state, 'held'), isHeldFor(['links-unknown']));
    return db
      .select({ key: work.key, version: sql<string>`max(${work.version}) || '@' || max(${work.sinceMs})` })
      .from(work)
      .where(and(or(due, isUnlinked), eq(work.account, account), inArray(work.flow, [...flows])))
      .groupBy(work.key)
      .all();
  },

  priceBefore({ db }, account, flow, key, action, sinceMs) {
    const approved = `${action}${APPROVED}`;
    const { after, before } = journal;
    const changes = db
      .select({ action: journal.action, before, after })
      .from(journal)
      .where(
        and(
          eq(journal.account, account),
          eq(journal.flow, flow),
          eq(journal.key, key),
          inArray(journal.action, [action, approved]),
          inArray(journal.outcome, ['sent', 'written', 'unknown']),
          gte(journal.atMs, sinceMs),
        ),
      )
      .orderBy(desc(journal.id))
      .all();
    const since = changes.findIndex((change) => change.action === approved);
    if (since > 0) return changes[since]?.after ?? null;
    return since === 0 ? null : (changes.at(-1)?.before ?? null);
  },
} satisfies Reads<BrakeStore>;

export const brakeWrites = {
  hold({ tx, nowMs }, pool, writes, holding) {
    const { reason } = holding;
    const plan = openPlan(tx, pool, holding, nowMs);
    const formerPlans: number[] = [];
    for (const write of writes) {
      const { key, action, target } = write;
      const there = findItem(tx, { account: pool.account, flow: pool.flow, key, action, target });
      if (there === undefined) {
        const { account, flow } = pool;
        tx.insert(brakeItems)
          .values({ ...pickWrite(write), account, flow, planId: plan.id, reason, state: 'held' })
          .run();
        continue;
      }
      const of = tx.select().from(brakePlans).where(eq(brakePlans.id, there.planId)).get();
      const isSettled = of !== undefined && isDecided({ state: there.state, expiresAtMs: of.expiresAtMs }, nowMs);
      if (isSettled && there.after === write.after) continue;
      // An item keeps its first reason while its value is the same.
      const why = there.after === write.after ? there.reason : reason;
      const set = { ...pickWrite(write), planId: plan.id, reason: why, state: 'held' } as const;
      updateWhere(tx, brakeItems, set, eq(brakeItems.id, there.id));
      formerPlans.push(there.planId);
    }
    // If an operator has decided every write meanwhile, the plan is empty.
    dropEmptyPlans(tx, [...formerPlans, plan.id]);
    return plan;
  },

  used({ tx }, itemId) {
    removeItems(tx, [itemId]);
  },
} satisfies Writes<BrakeStore>;

export function itemsOfPlan(db: Readable, planId: number): BrakeItem[] {
  return rowsWhere(db, brakeItems, eq(brakeItems.planId, planId), { order: [asc(brakeItems.id)] });
}

/** There is rarely anything to remove, and even an empty transaction costs a commit. */
export const brakeSteps = (database: Database) => ({
  async keepOnly(
    account: string,
    flow: string,
    key: string,
    wanted: readonly Pick<BrakedWrite, 'action' | 'target' | 'after'>[],
  ): Promise<void> {
    const items = database.snapshot(() => itemsOf(database, account, flow, key));
    const gone = items.filter((item) => {
      const same = wanted.find(({ action, target }) => action === item.action && target === item.target);
      const isRefused = item.state === 'vetoed' || item.state === 'dropped';
      return same === undefined || (isRefused && same.after !== item.after);
    });
    const ids = gone.map(({ id }) => id);
    if (ids.length > 0) await database.transaction((tx) => removeItems(tx, ids));
  },
});

function openPlan(
  tx: Queryable,
  pool: BrakePool,
  { holdsAll, reason, expiryMs }: BrakeLimit,
  nowMs: number,
): BrakePlan {
  const [open] = rowsWhere(tx, brakePlans, and(isPool(pool), eq(brakePlans.state, 'open')));
  if (open !== undefined && open.expiresAtMs > nowMs) {
    if (!holdsAll || open.holdsAll) return open;
    return tx.update(brakePlans).set({ holdsAll: true, reason }).where(eq(brakePlans.id, open.id)).returning().get();
  }
  const { account, flow, kind } = pool;
  const plan = tx
    .insert(brakePlans)
    .values({
      account,
      flow,
      kind,
      reason: open?.holdsAll ? open.reason : reason,
      state: 'open',
      decidedBy: null,
      holdsAll: holdsAll || open?.holdsAll === true,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + expiryMs,
    })
    .returning()
    .get();
  if (open !== undefined) {
    tx.update(brakeItems).set({ planId: plan.id }).where(eq(brakeItems.planId, open.id)).run();
    dropEmptyPlans(tx, [open.id]);
  }
  return plan;
}

function pickWrite({ key, action, target, before, after, why }: BrakedWrite): BrakedWrite {
  return { key, action, target, before, after, why };
}
