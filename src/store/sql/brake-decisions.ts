import { sentenceOf } from '../../domain/causes/cause.ts';
import {
  BrakeDecisionError,
  type BrakeDecisionStore,
  type BrakeItem,
  type BrakePlan,
  type ItemName,
  type PlanName,
} from '../record.ts';
import { laneOfAct } from '../work.ts';
import { hashOf, itemsOfPlan, openOfPool } from './brakes.ts';
import type { Queryable } from './database.ts';
import { addActs } from './journal.ts';
import { and, asc, eq, inArray } from './orm.ts';
import type { Writes } from './part.ts';
import { dropEmptyPlans } from './plan-items.ts';
import { inParts, updateWhere } from './queries.ts';
import { markStockOfOrders } from './relook.ts';
import { orders } from './tables/marketplace.ts';
import { brakeItems, brakePlans } from './tables/record.ts';
import { endHolds, isWork, markAll } from './work.ts';

const LIST = 'stockbridge brakes list';

const OPENED_ANEW = 'the next full pass of the daemon or of "stockbridge sync" makes a new plan with another hash';

export const brakeDecisionWrites = {
  approve({ tx, nowMs }, name, { except, expiryMs, by }) {
    const { plan, items, hash } = findPlan(tx, name);
    if (plan.state === 'open' && plan.expiresAtMs <= nowMs) {
      throw new BrakeDecisionError(`plan ${plan.id} has expired: ${OPENED_ANEW}. Then look at it with "${LIST}"`);
    }
    const asked = items.filter(({ state }) => state !== 'approved');
    const vetoed = itemsNamed(plan, asked, except);
    const approved = asked.filter((item) => !vetoed.includes(item));
    if (approved.length === 0) {
      throw new BrakeDecisionError(`nothing of plan ${plan.id} is left to approve: to refuse it, drop it`);
    }
    setState(tx, approved, 'approved');
    setState(tx, vetoed, 'vetoed');
    decideHistory(tx, plan, approved, 'enter', nowMs);
    decideHistory(tx, plan, vetoed, 'leave', nowMs);
    const lastsMs = expiryMs[plan.account];
    if (lastsMs === undefined) throw new BrakeDecisionError(`the configuration has no account ${plan.account}`);
    const set = { state: 'approved', expiresAtMs: nowMs + lastsMs, decidedBy: by } as const;
    const decided = tx.update(brakePlans).set(set).where(eq(brakePlans.id, plan.id)).returning().get();
    const note = vetoed.length === 0 ? '' : `, ${vetoed.length} excepted`;
    recordAct(tx, decided, 'brake.approve', `plan ${hash}: ${approved.length} approved${note}`, by, nowMs);
    recordItems(tx, approved, 'brake.approve', by, nowMs);
    recordItems(tx, vetoed, 'brake.veto', by, nowMs);
    lookAgain(tx, [...approved, ...vetoed], `plan ${plan.id} was approved by ${by}`, nowMs);
    return { plan: decided, hash, approved, vetoed };
  },

  drop({ tx, nowMs }, name, by) {
    const { plan, items, hash } = findPlan(tx, name);
    setState(tx, items, 'dropped');
    decideHistory(tx, plan, items, 'leave', nowMs);
    const set = { state: 'dropped', decidedBy: by } as const;
    const decided = tx.update(brakePlans).set(set).where(eq(brakePlans.id, plan.id)).returning().get();
    recordAct(tx, decided, 'brake.drop', `plan ${hash}: ${items.length} dropped`, by, nowMs);
    recordItems(tx, items, 'brake.drop', by, nowMs);
    lookAgain(tx, items, `plan ${plan.id} was dropped by ${by}`, nowMs);
    return { plan: decided, dropped: items };
  },

  restore({ tx, nowMs }, planId, by) {
    const items = itemsOfPlan(tx, planId).filter(({ state }) => state === 'dropped');
    const plan = tx.select().from(brakePlans).where(eq(brakePlans.id, planId)).get();
    if (plan === undefined || items.length === 0) {
      throw new BrakeDecisionError(`nothing of plan ${planId} is dropped any more: "${LIST}" shows what is held`);
    }
    setState(tx, items, 'held');
    decideHistory(tx, plan, items, null, nowMs);
    const open = openOfPool(tx, { ...plan, state: 'open' })[0];
    if (open === undefined) {
      updateWhere(tx, brakePlans, { state: 'open', decidedBy: null }, eq(brakePlans.id, planId));
    } else {
      updateWhere(tx, brakeItems, { planId: open.id }, eq(brakeItems.planId, planId));
      dropEmptyPlans(tx, [planId]);
    }
    recordAct(tx, plan, 'brake.restore', `plan ${planId}: ${items.length} held again`, by, nowMs);
    recordItems(tx, items, 'brake.restore', by, nowMs);
    lookAgain(tx, items, `the drop of plan ${planId} was taken back by ${by}`, nowMs);
    return { restored: items };
  },
} satisfies Writes<BrakeDecisionStore>;

function findPlan(tx: Queryable, name: PlanName): { plan: BrakePlan; items: BrakeItem[]; hash: string } {
  const plans = tx.select().from(brakePlans).orderBy(asc(brakePlans.id)).all();
  for (const plan of plans) {
    if ('id' in name && name.id !== plan.id) continue;
    const items = itemsOfPlan(tx, plan.id);
    const hash = hashOf(plan, items);
    if ('id' in name || name.hash === hash) return { plan, items, hash };
  }
  throw new BrakeDecisionError(
    'id' in name
      ? `there is no plan ${name.id}: "${LIST}" shows what is held`
      : `no plan has the hash ${name.hash}: it has changed since it was shown, or is done. Nothing was decided; look at it again with "${LIST}"`,
  );
}

function itemsNamed(plan: BrakePlan, items: readonly BrakeItem[], names: readonly ItemName[]): BrakeItem[] {
  return names.flatMap((name) => {
    const found = items.filter((item) =>
      'id' in name ? item.id === name.id : item.flow === name.flow && item.key === name.key,
    );
    if (found.length > 0) return found;
    const itemName = 'id' in name ? String(name.id) : `${name.flow}/${name.key}`;
    throw new BrakeDecisionError(`plan ${plan.id} holds no item ${itemName}: "${LIST}" shows their numbers`);
  });
}

/** The writes no longer wait for the plan. */
function lookAgain(tx: Queryable, items: readonly BrakeItem[], reason: string, nowMs: number): void {
  markAll(tx, items, laneOfAct(items.length), reason, nowMs);
  for (const { account, flow, key } of items) endHolds(tx, PLAN_CODES, isWork({ account, flow, key }));
}

const PLAN_CODES = ['brake-plan', 'brake-kind-waits'] as const;

function setState(tx: Queryable, items: readonly BrakeItem[], state: BrakeItem['state']): void {
  const ids = items.map(({ id }) => id);
  for (const some of inParts(ids)) tx.update(brakeItems).set({ state }).where(inArray(brakeItems.id, some)).run();
}

/** A person's decision about an order of the past stays, whatever is edited later. */
function decideHistory(
  tx: Queryable,
  { id, account, kind }: BrakePlan,
  items: readonly BrakeItem[],
  history: 'enter' | 'leave' | null,
  nowMs: number,
): void {
  if (kind !== 'history') return;
  const numbers = items.map(({ key }) => key);
  for (const some of inParts(numbers)) {
    updateWhere(tx, orders, { history }, and(eq(orders.account, account), inArray(orders.number, some)));
  }
  markStockOfOrders(tx, account, numbers, `plan ${id} was decided`, nowMs);
}

function recordAct(tx: Queryable, plan: BrakePlan, action: string, after: string, by: string, nowMs: number): void {
  const { id, account, flow, kind, holdsAll, reason } = plan;
  const target = `plan ${id}: ${kind}`;
  const before = holdsAll ? sentenceOf(reason) : null;
  addActs(tx, [{ account, flow, key: '*', action, target, before, after, by }], nowMs);
}

function recordItems(tx: Queryable, items: readonly BrakeItem[], action: string, by: string, nowMs: number): void {
  const acts = items.map(({ action: write, target, account, flow, key, before, after }) => {
    return { account, flow, key, action, target: `${write} ${target}`, before, after, by };
  });
  addActs(tx, acts, nowMs);
}
