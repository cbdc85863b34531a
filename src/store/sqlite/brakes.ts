import { createHash } from 'node:crypto';
import type { Database, Queryable } from './database.ts';
import { and, asc, desc, eq, gte, inArray, lte, sql } from './orm.ts';
import { built, rowBy } from './queries.ts';
import { brakeItems, brakePlans, journal } from './tables/record.ts';
import { work } from './tables/work.ts';

export type BrakePlan = typeof brakePlans.$inferSelect;
export type BrakeItem = typeof brakeItems.$inferSelect;

/** What shares a limit, and a plan. */
export type BrakePool = Pick<BrakePlan, 'account' | 'flow' | 'kind'>;

/** A write as a plan names it: `after` is exactly what would be written. */
export type BrakedWrite = Pick<BrakeItem, 'key' | 'action' | 'target' | 'before' | 'after' | 'why'>;

/** An item with what its plan says of it. */
export type PlannedItem = BrakeItem &
  Pick<BrakePlan, 'holdsAll' | 'expiresAtMs' | 'decidedBy'> & { readonly planReason: string };

export interface Holding {
  readonly holdsAll: boolean;
  /** The limit that the writes exceed. */
  readonly reason: string;
  readonly expiryMs: number;
}

/** What an approval is bound to: the plan, and each write that it would let go ahead. */
export function hashOf(plan: BrakePlan, items: readonly BrakeItem[]): string {
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

/** In the caller's transaction: a plan in which nothing is left. */
export function dropEmptyPlans(tx: Queryable, ids: Iterable<number>): void {
  for (const id of new Set(ids)) {
    const [left] = tx.select({ id: brakeItems.id }).from(brakeItems).where(eq(brakeItems.planId, id)).limit(1).all();
    if (left === undefined) tx.delete(brakePlans).where(eq(brakePlans.id, id)).run();
  }
}

const findItem = rowBy(brakeItems, 'account', 'flow', 'key', 'action', 'target');

const findItems = built((db) => {
  const is = (name: 'account' | 'flow' | 'key') => eq(brakeItems[name], sql.placeholder(name));
  return db
    .select({ item: brakeItems, plan: brakePlans })
    .from(brakeItems)
    .innerJoin(brakePlans, eq(brakePlans.id, brakeItems.planId))
    .where(and(is('account'), is('flow'), is('key')))
    .prepare();
});

function isPool({ account, flow, kind }: BrakePool) {
  return and(eq(brakePlans.account, account), eq(brakePlans.flow, flow), eq(brakePlans.kind, kind));
}

/** An approval ends with its plan's time; a veto and a drop stand until the write is another one. */
export function isDecided({ state, expiresAtMs }: Pick<PlannedItem, 'state' | 'expiresAtMs'>, nowMs: number): boolean {
  return state !== 'held' && (state !== 'approved' || expiresAtMs > nowMs);
}

export function brakeStore(db: Database, now: () => number) {
  const itemsOf = (account: string, flow: string, key: string): PlannedItem[] =>
    findItems(db)
      .all({ account, flow, key })
      .map(({ item, plan: { holdsAll, expiresAtMs, decidedBy, reason } }) => {
        return { ...item, holdsAll, expiresAtMs, decidedBy, planReason: reason };
      });

  return {
    async itemsOf(account: string, flow: string, key: string): Promise<PlannedItem[]> {
      return itemsOf(account, flow, key);
    },

    /** The open plan that everything of its kind waits for. */
    async holdingAll(pool: BrakePool): Promise<BrakePlan | null> {
      const where = and(isPool(pool), eq(brakePlans.state, 'open'), eq(brakePlans.holdsAll, true));
      return db.select().from(brakePlans).where(where).get() ?? null;
    },

    /** What an operator has decided of, in this pool. */
    async decided(pool: BrakePool): Promise<BrakeItem[]> {
      const rows = db
        .select({ item: brakeItems, expiresAtMs: brakePlans.expiresAtMs })
        .from(brakeItems)
        .innerJoin(brakePlans, eq(brakePlans.id, brakeItems.planId))
        .where(isPool(pool))
        .all();
      return rows
        .filter(({ item, expiresAtMs }) => isDecided({ state: item.state, expiresAtMs }, now()))
        .map(({ item }) => item);
    },

    /**
     * Puts writes into the open plan of their pool, which is opened if there is none. One whose time is over is opened
     * anew: nobody approves what was shown to him long ago. What was decided meanwhile stays decided.
     */
    async hold(pool: BrakePool, writes: readonly BrakedWrite[], holding: Holding): Promise<BrakePlan> {
      const { reason } = holding;
      return db.transaction((tx) => {
        const plan = openPlan(tx, pool, holding, now());
        const left: number[] = [];
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
          const isSettled = of !== undefined && isDecided({ state: there.state, expiresAtMs: of.expiresAtMs }, now());
          if (isSettled && there.after === write.after) continue;
          // As long as it is the same write, it is held for what it was held for at first.
          const why = there.after === write.after ? there.reason : reason;
          tx.update(brakeItems)
            .set({ ...pickWrite(write), planId: plan.id, reason: why, state: 'held' })
            .where(eq(brakeItems.id, there.id))
            .run();
          left.push(there.planId);
        }
        dropEmptyPlans(tx, left);
        return plan;
      });
    },

    /** It was written: its approval is used up. */
    async used(itemId: number): Promise<void> {
      await db.transaction((tx) => remove(tx, [itemId]));
    },

    /** Lets go of what is not to be written any more, and of vetoes and drops of what is another write by now. */
    async keepOnly(
      account: string,
      flow: string,
      key: string,
      wanted: readonly Pick<BrakedWrite, 'action' | 'target' | 'after'>[],
    ): Promise<void> {
      const gone = itemsOf(account, flow, key).filter((item) => {
        const same = wanted.find(({ action, target }) => action === item.action && target === item.target);
        const isRefused = item.state === 'vetoed' || item.state === 'dropped';
        return same === undefined || (isRefused && same.after !== item.after);
      });
      const ids = gone.map(({ id }) => id);
      if (ids.length > 0) await db.transaction((tx) => remove(tx, ids));
    },

    /** Every plan with its items, oldest first. */
    async list(account?: string): Promise<{ plan: BrakePlan; items: BrakeItem[]; hash: string }[]> {
      const plans = db
        .select()
        .from(brakePlans)
        .where(account === undefined ? undefined : eq(brakePlans.account, account))
        .orderBy(asc(brakePlans.id))
        .all();
      return plans.map((plan) => {
        const items = itemsOfPlan(db, plan.id);
        return { plan, items, hash: hashOf(plan, items) };
      });
    },

    async openPlans(): Promise<{ account: string; kind: string; count: number }[]> {
      return db
        .select({ account: brakePlans.account, kind: brakePlans.kind, count: sql<number>`count(*)` })
        .from(brakePlans)
        .where(eq(brakePlans.state, 'open'))
        .groupBy(brakePlans.account, brakePlans.kind)
        .all();
    },

    /** Keys of these flows that are due, in the version that they wait in. */
    async waitingKeys(account: string, flows: readonly string[]): Promise<{ key: string; version: string }[]> {
      const due = and(eq(work.state, 'pending'), lte(work.notBeforeMs, now()));
      return db
        .select({ key: work.key, version: sql<string>`max(${work.version}) || '@' || max(${work.sinceMs})` })
        .from(work)
        .where(and(due, eq(work.account, account), inArray(work.flow, [...flows])))
        .groupBy(work.key)
        .all();
    },

    /**
     * The price that a product had before those of its changes since then that nobody approved, as the journal shows it:
     * "12.50 USD". null when there were none.
     */
    async priceBefore(account: string, key: string, action: string, sinceMs: number): Promise<string | null> {
      const approved = `${action}${APPROVED}`;
      const { after, before } = journal;
      const changes = db
        .select({ action: journal.action, before, after })
        .from(journal)
        .where(
          and(
            eq(journal.account, account),
            eq(journal.flow, 'product'),
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
  };
}

/** What the journal adds to the name of a braked write that an operator approved: brakes do not count it. */
export const APPROVED = ':approved';

export function itemsOfPlan(db: Pick<Database, 'select'>, planId: number): BrakeItem[] {
  return db.select().from(brakeItems).where(eq(brakeItems.planId, planId)).orderBy(asc(brakeItems.id)).all();
}

function openPlan(tx: Queryable, pool: BrakePool, { holdsAll, reason, expiryMs }: Holding, nowMs: number): BrakePlan {
  const open = tx
    .select()
    .from(brakePlans)
    .where(and(isPool(pool), eq(brakePlans.state, 'open')))
    .get();
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

function remove(tx: Queryable, ids: readonly number[]): void {
  const gone = tx
    .delete(brakeItems)
    .where(inArray(brakeItems.id, [...ids]))
    .returning()
    .all();
  dropEmptyPlans(
    tx,
    gone.map(({ planId }) => planId),
  );
}

function pickWrite({ key, action, target, before, after, why }: BrakedWrite): BrakedWrite {
  return { key, action, target, before, after, why };
}
