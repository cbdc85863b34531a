import type { AccountContext } from './context.ts';
import type { Planned } from './decision.ts';
import type { FlowName } from './flow.ts';
import type { Braked, Held, Policy } from './policy.ts';

/** How what is told of a write in a plan ends. */
export const IN_PLAN = ' of "stockbridge brakes list"';

/**
 * Puts a write that a brake holds into a plan for an operator; where everything of its kind is held, the others that wait
 * with it, so that the plan is whole from the beginning. Answers why it is held.
 */
export async function holdInPlan(
  { account, config, store }: AccountContext,
  { flow, key }: { readonly flow: FlowName; readonly key: string },
  action: Planned & Braked,
  { reason, hold, exceeds }: Held,
  { brake }: Policy,
): Promise<string> {
  const { brake: kind, target, before, after, why } = action;
  if (kind === undefined) return reason;
  const holdsAll = hold === 'all';
  const own = { key, action: action.action, target, before, after, why };
  const holding = { holdsAll, reason: exceeds, expiryMs: config.brakes.expiryMs };
  const writes = [own, ...(holdsAll ? (brake?.others ?? []) : [])];
  const { id } = await store.brakes.hold({ account, flow, kind }, writes, holding);
  return `${reason}; plan ${id}${IN_PLAN}`;
}
