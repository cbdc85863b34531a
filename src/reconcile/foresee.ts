import type { AccountContext } from './context.ts';
import type { Planned } from './decision.ts';
import type { FlowName } from './flow.ts';
import { observePolicy } from './observe-policy.ts';
import { type Braked, judge, type Policy } from './policy.ts';

/** Says of one planned write after another why it would be held; null when it would go ahead, and so uses up its brake. */
export type Foresee = (flow: FlowName, action: Planned & Braked) => Promise<string | null>;

/** What pauses and brakes would say of the writes of one pass, as they stand now. */
export function createForesight(context: AccountContext): Foresee {
  const policies = new Map<string, Policy>();
  const planned = new Map<string, number>();

  return async (flow, action) => {
    const kind = action.brake;
    const counted = `${flow} ${kind}`;
    const known = policies.get(counted);
    const policy = known ?? (await observePolicy(context, flow, false, kind));
    policies.set(counted, policy);
    const already = planned.get(counted) ?? 0;
    const { brake } = policy;
    const verdict = judge(action, {
      ...policy,
      brake: brake === null ? null : { ...brake, written: brake.written + already },
    });
    if (!verdict.allowed) return verdict.reason;
    if (kind !== undefined) planned.set(counted, already + 1);
    return null;
  };
}
