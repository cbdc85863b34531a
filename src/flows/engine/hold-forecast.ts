import type { Cause } from '../../domain/causes/cause.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { FlowName } from '../flows.ts';
import type { Planned } from './decision.ts';
import { observePolicy } from './observe-policy.ts';
import type { WaitingWrite } from './plan-cache.ts';
import { type Braked, judge } from './policy.ts';

/** Says of a planned write why it would be held; null when it would go ahead. */
export type Foresee = (flow: FlowName, key: string, action: Planned & Braked) => Promise<Cause | null>;

/**
 * Foresees which writes of one pass the pauses and brakes would hold, as they stand now.
 * @param planned every braked write of the pass, by flow
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
