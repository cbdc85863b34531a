import { type Cause, cause } from '../../domain/causes/cause.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { FlowName } from '../flows.ts';
import type { Planned } from './decision.ts';
import { type Braked, type Held, type Policy, plannedWrite } from './policy.ts';

/**
 * Adds a held write to a plan for an operator. If all writes of its kind are held, the waiting ones are added too, so
 * that the plan is complete. Returns why the write is held.
 */
export async function holdInPlan(
  { account, config, store }: AccountRecords,
  { flow, key }: { readonly flow: FlowName; readonly key: string },
  action: Planned & Braked,
  { cause: why, hold, exceeds, waits }: Held,
  { brake }: Policy,
): Promise<Cause> {
  const { brake: kind } = action;
  if (kind === undefined) return why;
  const holdsAll = hold === 'all';
  const write = plannedWrite(action);
  const own = { key, ...write, why: action.why };
  const holding = { holdsAll, reason: exceeds, expiryMs: config.brakes.expiryMs };
  const writes = [own, ...(holdsAll ? (brake?.others ?? []) : [])];
  const { id } = await store.brakes.hold({ account, flow, kind }, writes, holding);
  return cause('brake-plan', { ...write, brake: kind, exceeds, waits, plan: id });
}
