import { type Cause, cause } from '../domain/causes/cause.ts';
import type { AccountRecords } from '../shadow/context.ts';
import { StoreError } from '../store/store-error.ts';
import { type Decision, hold, type Planned } from './engine/decision.ts';
import type { Braked } from './engine/policy.ts';
import type { FlowName } from './flows.ts';
import { FLOW_RUNS } from './runs.ts';

/**
 * The plan of one entity. Where our own code fails on the entity, it has no plan, and the error is its hold. So no entity ends a pass
 * over all of them.
 * @throws the error of a database that fails: no entity is at fault
 */
export async function planOf(
  context: AccountRecords,
  flow: FlowName,
  key: string,
): Promise<Decision<Planned & Braked>> {
  try {
    return await FLOW_RUNS[flow].plan(context, key);
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    return hold(programError(error));
  }
}

/** Does the database fail, so that no entity is at fault? */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof StoreError && error.rule === null;
}

export function programError(error: unknown): Cause {
  return cause('program-error', { message: error instanceof Error ? error.message : String(error) });
}

/** Did our own code fail on the entity? */
export function isBroken({ holds }: Decision<Planned>): boolean {
  return holds.some(({ code }) => code === 'program-error');
}
