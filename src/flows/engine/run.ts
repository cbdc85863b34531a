import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { AccountRecords, Look } from '../../shadow/context.ts';
import { annotate, isTraced, step } from '../../tracing/spans.ts';
import { attemptWrite, type PolicyOf, repeatOf, type Stopped, type WriteAttempt } from './attempt.ts';
import type { AccountContext } from './context.ts';
import { type Decision, inSync, type Planned } from './decision.ts';
import type { AnyFlow, Applied, Result } from './flow.ts';
import { withFollowUpSlot } from './follow-up-slot.ts';
import { invalidatingPlans } from './plan-cache.ts';
import { type Braked, plannedWrite } from './policy.ts';
import { currentHolds } from './refused-for-now.ts';
import { isSameWrite, withoutEffect, withoutRepeats } from './repeats.ts';
import { unchangedSince } from './unchanged-since.ts';
import { noteAlerts } from './write-record.ts';

type Write = Planned & Braked;

export interface FlowRun {
  /** Observes, decides and applies until nothing is left to do. */
  reconcile(context: AccountContext, look: Look, policy: PolicyOf): Promise<Result>;
  /** Returns what a reconcile would do now, from the shadow alone. */
  plan(context: AccountRecords, key: string): Promise<Decision<Write>>;
}

/** An entity needs only a few steps (create, mark, transition). More means that two rules contradict each other. */
const MAX_ROUNDS = 12;

export function runOf(flow: AnyFlow): FlowRun {
  return {
    plan: (context, key) => plan(flow, context, key),
    async reconcile(context, look, policy) {
      const other = flow.handsTo?.(context.config) ?? null;
      if (other !== null) return handOver(context, flow, look, other);
      const excluded = (await flow.excludes?.(context, look.key)) ?? [];
      const result = await context.exclusively(excluded, () =>
        invalidatingPlans(context, flow.name, look.key, () => reconcile(flow, context, look, policy)),
      );
      await flow.wakes?.(context, look, result);
      return result;
    },
  };
}

async function plan(flow: AnyFlow, context: AccountRecords, key: string): Promise<Decision<Write>> {
  if ((flow.handsTo?.(context.config) ?? null) !== null) return inSync();
  const decision = flow.decide(await flow.observe(context, key));
  if (decision.actions.length === 0) return decision;
  const row = await context.store.work.get({ account: context.account, flow: flow.name, key });
  return withoutRepeats(decision, await currentHolds(context, row?.heldFor ?? []));
}

/** Marks the key for the flow that does the work. */
async function handOver(
  { account, store }: AccountRecords,
  { name }: AnyFlow,
  { key, lane }: Look,
  flow: string,
): Promise<Result> {
  const row = await store.work.get({ account, flow: name, key });
  await store.work.mark([{ account, flow, key }], lane, row?.reason ?? `handed over by ${name}`);
  return { state: 'in-sync', written: 0, lookAgainMs: null };
}

async function reconcile(flow: AnyFlow, context: AccountContext, asked: Look, policy: PolicyOf): Promise<Result> {
  const look = { ...asked, heldFor: await currentHolds(context, asked.heldFor ?? []) };
  // Writes of this look whose effect is not visible yet.
  let done: readonly Planned[] = [];
  let written = 0;
  let noted: string | null = null;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    look.signal.throwIfAborted();
    const isUnchanged = await unchangedSince(context, flow.name, look.key, round === 0 ? look.version : undefined);
    const snapshot = await step('observe', {}, () => observeFresh(flow, context, look));
    await flow.remember?.(context, look, snapshot);
    const decision = step('decide', {}, () => decide(flow, look, snapshot));
    const alerts = JSON.stringify(decision.alerts);
    if (alerts !== noted) await noteAlerts(context, { flow: flow.name, key: look.key }, decision.alerts);
    noted = alerts;
    const made = await withFollowUpSlot(context, look, decision, (turn) =>
      writeFirst({ flow, context, look: turn, policy, isUnchanged }, decision, done),
    );
    if (made === 'gives-way') return { state: 'gives-way', written };
    if (made.result === null) return settled(decision, made.held, written);
    if ('state' in made.result) return { ...made.result, written };
    if (made.result.outcome === 'written') written += 1;
    if (made.result.outcome !== 'superseded') done = [...done.filter((one) => !showed(one, made.action)), made.action];
  }
  return { state: 'held', written, causes: [cause('rules-disagree', { steps: MAX_ROUNDS })] };
}

const observeFresh = (flow: AnyFlow, context: AccountContext, look: Look) =>
  flow.observeFresh?.(context, look) ?? flow.observe(context, look.key);

function decide(flow: AnyFlow, { heldFor }: Look, snapshot: unknown): Decision<Write> {
  const decision = withoutRepeats(flow.decide(snapshot), heldFor);
  if (isTraced()) {
    const { actions, holds } = decision;
    const [first] = actions;
    annotate({ actions: actions.length, ...(first === undefined ? {} : { action: first.action }) });
    annotate({ held: holds.map(({ code }) => code).join(' ') });
  }
  return decision;
}

type First =
  | { readonly result: Applied | Stopped; readonly action: Write }
  /** Nothing is left to do, or the rest is held for these causes. */
  | { readonly result: null; readonly held: readonly Cause[] };

/**
 * Makes the first write that no brake holds. A write in a plan blocks no other.
 * @param done writes of this look whose effect is not visible yet
 */
async function writeFirst(
  attempt: Omit<WriteAttempt, 'action' | 'passed'>,
  { actions, holds }: Decision<Write>,
  done: readonly Planned[],
): Promise<First> {
  await leavePlans(attempt, actions, holds);
  const passed = new Set<string>();
  const held: Cause[] = [];
  for (const action of actions) {
    if (done.some((earlier) => isAgain(action, earlier)))
      return { result: { state: 'held', causes: [...held, withoutEffect(action), ...holds] }, action };
    const result = await attemptWrite({ ...attempt, action, passed });
    if (!('inPlan' in result)) return { result, action };
    held.push(...result.causes);
    passed.add(repeatOf(action));
  }
  return { result: null, held };
}

/**
 * Removes braked writes that are no longer decided from their plans. While another step comes first, this is unknown.
 */
async function leavePlans(
  { flow, context, look }: Pick<WriteAttempt, 'flow' | 'context' | 'look'>,
  actions: readonly Write[],
  holds: readonly Cause[],
): Promise<void> {
  if (holds.length > 0 || actions[0]?.brake === undefined) return;
  await context.store.brakes.keepOnly(context.account, flow.name, look.key, actions.map(plannedWrite));
}

/** @param inPlan causes of writes that wait in a plan */
function settled({ holds, lookAgainMs }: Decision<Planned>, inPlan: readonly Cause[], written: number): Result {
  const causes = [...inPlan, ...holds];
  if (causes.length > 0) return { state: 'held', written, causes };
  return { state: 'in-sync', written, lookAgainMs };
}

/** Returns whether the earlier write had its effect: the later one begins from its value. It may then be made again. */
function showed(earlier: Planned, { action, target, before }: Planned): boolean {
  return earlier.action === action && earlier.target === target && earlier.after === before;
}

/** A confirming repetition counts as the same write. */
function isAgain(action: Planned, earlier: Planned): boolean {
  return isSameWrite(earlier, action) && (action.confirms !== true || earlier.confirms === true);
}
