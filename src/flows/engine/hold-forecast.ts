import type { Cause } from '../../domain/causes/cause.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { FlowName } from '../flows.ts';
import type { Planned } from './decision.ts';
import { observePolicy } from './observe-policy.ts';
import type { WaitingWrite } from './plan-cache.ts';
import { type Braked, judge } from './policy.ts';

/** Returns why a planned write would be held. null: it would be made. */
export type Foresee = (flow: FlowName, key: string, action: Planned & Braked) => Promise<Cause | null>;

/**
 * Predicts which writes of one pass pauses and brakes would hold now.
 * @param planned all braked writes of the pass, by flow
 */
export function createHoldForecast(
  context: AccountRecords,
  planned: ReadonlyMap<FlowName, readonly WaitingWrite[]>,
): Foresee {
  return async (flow, key, action) => {
    const policy = await observePolicy(context, { flow, key }, false, action, async () => planned.get(flow) ?? []);
    const verdict = judge(action, policy);
    return verdict.allowed ? null : verdict.cause;
  };
}
