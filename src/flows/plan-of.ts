import { type Cause, cause } from '../domain/causes/cause.ts';
import type { AccountRecords } from '../shadow/context.ts';
import { StoreError } from '../store/store-error.ts';
import { type Decision, hold, type Planned } from './engine/decision.ts';
import type { Braked } from './engine/policy.ts';
import type { FlowName } from './flows.ts';
import { FLOW_RUNS } from './runs.ts';

/**
 * Plans one entity. If our own code fails on it, the error becomes its hold, so that a pass over all entities goes on.
 * @throws a database error, which no entity causes
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

/** Returns whether the database failed, so that no entity is at fault. */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof StoreError && error.rule === null;
}

export function programError(error: unknown): Cause {
  return cause('program-error', { message: error instanceof Error ? error.message : String(error) });
}

export function isBroken({ holds }: Decision<Planned>): boolean {
  return holds.some(({ code }) => code === 'program-error');
}
