import { brakeStateText, movedPercent } from '../domain/brake.ts';
import { sentenceOf } from '../domain/causes/cause.ts';
import { isFlow } from '../flows/flows.ts';
import type { BrakePlan, BrakeItem as Item, ItemName, PlanName } from '../store/record.ts';
import { accountNames } from './accounts.ts';
import { keyInAny } from './entity.ts';
import { UsageError } from './faults.ts';
import type { Opened } from './open.ts';
import type { OrdersBehind } from './order-behind.ts';

export type BrakeItem = Item;

export interface HeldPlan {
  readonly plan: BrakePlan;
  readonly items: readonly BrakeItem[];
  readonly hash: string;
  /** The plan or its approval is no longer valid. */
  readonly expired: boolean;
}

/** @param account undefined: all */
export async function listPlans(
  { config, store }: Pick<Opened, 'config' | 'store'>,
  account: string | undefined,
  nowMs: number,
): Promise<HeldPlan[]> {
  const names = accountNames(config, account);
  const plans = (await store.brakes.list()).filter(({ plan }) => names.includes(plan.account));
  return plans.map((held) => ({ ...held, expired: isExpired(held, nowMs) }));
}

function isExpired({ plan, items }: Pick<HeldPlan, 'plan' | 'items'>, nowMs: number): boolean {
  if (plan.expiresAtMs > nowMs || plan.state === 'dropped') return false;
  return plan.state === 'open' || items.some(({ state }) => state === 'approved');
}

/** Waiting plans first, then the newest. */
export function waitingFirst(plans: readonly HeldPlan[]): HeldPlan[] {
  const isWaiting = ({ plan, expired }: HeldPlan) => Number(plan.state === 'open' && !expired);
  return plans.toSorted((a, b) => isWaiting(b) - isWaiting(a) || b.plan.id - a.plan.id);
}

interface ItemKey {
  readonly plan: number;
  readonly item: number;
}

/** A plan with a page of its items; `count` is their total. */
interface PlanPart extends HeldPlan {
  readonly count: number;
}

/** Item by item, by plan number. @param after null: the first page */
export function plansPage(
  plans: readonly HeldPlan[],
  after: ItemKey | null,
  limit: number,
): { readonly plans: readonly PlanPart[]; readonly next: ItemKey | null } {
  const isAfter = (plan: number, item: number) =>
    after === null || plan > after.plan || (plan === after.plan && item > after.item);
  const parts: PlanPart[] = [];
  let [left, last]: [number, ItemKey | null] = [limit, null];
  for (const held of plans) {
    const rest = held.items.filter(({ id }) => isAfter(held.plan.id, id));
    if (rest.length > 0 && left === 0) return { plans: parts, next: last };
    const items = rest.slice(0, left);
    const [end] = items.slice(-1);
    if (end === undefined) continue;
    parts.push({ ...held, items, count: held.items.length });
    last = { plan: held.plan.id, item: end.id };
    if (items.length < rest.length) return { plans: parts, next: last };
    left -= items.length;
  }
  return { plans: parts, next: null };
}

/** The plan to approve, in its current state. */
export interface ApprovalRequest {
  /** null: no such plan, as the approval will report. */
  readonly held: HeldPlan | null;
  /** It was named by hash, which identifies exactly the writes that were shown. */
  readonly isShown: boolean;
}

/** @throws UsageError unless it is a number or hash */
export async function planToApprove({ store }: Opened, named: string, nowMs: number): Promise<ApprovalRequest> {
  const name = parsePlan(named);
  const plans = await store.brakes.list();
  const found = plans.find(({ plan, hash }) => ('id' in name ? plan.id === name.id : hash === name.hash));
  const held = found === undefined ? null : { ...found, expired: isExpired(found, nowMs) };
  return { held, isShown: 'hash' in name };
}

/**
 * Approves the writes of a held plan.
 * @param except items that stay held, by number or FLOW/KEY
 */
export async function approvePlan({ config, store, by }: Opened, plan: string, except: readonly string[]) {
  const expiryMs = Object.fromEntries(config.accounts.map(({ name, brakes }) => [name, brakes.expiryMs]));
  const accounts = config.accounts.map(({ name }) => name);
  const items = await Promise.all(except.map((text) => itemNamed(store, accounts, text)));
  return store.brakes.approve(parsePlan(plan), { except: items, expiryMs, by });
}

/** The key may be any name of the entity. */
async function itemNamed(store: Opened['store'], accounts: readonly string[], text: string): Promise<ItemName> {
  const item = parseItem(text);
  if ('id' in item || !isFlow(item.flow)) return item;
  return { ...item, key: await keyInAny(store, accounts, item.flow, item.key) };
}

/** Writes with the largest change first, those without figures last. */
export function largestChangesFirst(items: readonly BrakeItem[]): BrakeItem[] {
  const far = (item: BrakeItem) => movedPercent(item.before, item.after)?.abs().toNumber() ?? -1;
  return items.toSorted((a, b) => far(b) - far(a));
}

export function dropPlan({ store, by }: Opened, plan: string) {
  return store.brakes.drop(parsePlan(plan), by);
}

/** Undoes a drop. */
export function restorePlan({ store, by }: Opened, planId: number) {
  return store.brakes.restore(planId, by);
}

/** The writes that an approval would approve and leave, largest changes first. */
export interface Preview {
  readonly approved: readonly BrakeItem[];
  readonly left: readonly BrakeItem[];
}

/** @returns null without such a plan, so that the decision is refused */
export async function previewApproval(
  opened: Opened,
  plan: string,
  except: readonly string[],
  nowMs: number,
): Promise<Preview | null> {
  const { held } = await planToApprove(opened, plan, nowMs);
  if (held === null) return null;
  const items = largestChangesFirst(held.items.filter(({ state }) => state !== 'approved'));
  const isLeft = ({ id }: BrakeItem) => except.includes(String(id));
  return { approved: items.filter((item) => !isLeft(item)), left: items.filter(isLeft) };
}

/** Of a brake's plan or a saved plan. */
export const PLAN_HASH = /^[0-9a-f]{16}$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** @throws UsageError unless it is a number or hash */
function parsePlan(text: string): PlanName {
  if (NUMBER.test(text)) return { id: Number(text) };
  if (PLAN_HASH.test(text)) return { hash: text };
  throw new UsageError(`"${text}" is neither the number of a plan nor its hash: "stockbridge brakes list" shows both`);
}

/** @throws UsageError unless it is a number or FLOW/KEY */
function parseItem(text: string): ItemName {
  if (NUMBER.test(text)) return { id: Number(text) };
  const slash = text.indexOf('/');
  if (slash > 0 && slash < text.length - 1) return { flow: text.slice(0, slash), key: text.slice(slash + 1) };
  throw new UsageError(`"${text}" is neither the number of an item nor FLOW/KEY, such as product/P-000007`);
}

/** A plan as JSON. @param orders those behind its items */
export function shownPlan(
  { plan, items, hash, expired, count = items.length }: HeldPlan & Partial<PlanPart>,
  orders: OrdersBehind,
) {
  const { holdsAll, reason, createdAtMs, expiresAtMs, decidedBy, ...rest } = plan;
  return {
    ...rest,
    hash,
    expired,
    holds_all: holdsAll,
    reason: holdsAll ? sentenceOf(reason) : null,
    decided_by: decidedBy,
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
    count,
    items: items.map((item) => ({ ...shownItem(item), order: orders.get(item.id) ?? null })),
  };
}

export function shownItem({ id, flow, key, action, target, before, after, why, reason, state }: BrakeItem) {
  return {
    id,
    flow,
    key,
    action,
    target,
    before,
    after,
    why,
    reason: sentenceOf(reason),
    state: brakeStateText(state),
  };
}
