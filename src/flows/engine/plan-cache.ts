import type { BrakedWrite } from '../../store/record.ts';
import type { FlowName } from '../flows.ts';
import type { BrakeKind } from './policy.ts';

export interface WaitingWrite extends BrakedWrite {
  readonly kind: BrakeKind;
}

interface Seen {
  readonly version: string;
  readonly writes: readonly WaitingWrite[];
}

/** Plans of a flow's waiting keys, so that a large catalogue is not compared again for each write. */
interface Plans {
  readonly seen: Map<string, Seen>;
  readonly planning: Set<string>;
  readonly looking: Set<string>;
}

const plansBy = new WeakMap<object, Map<FlowName, Plans>>();

export function plansSeen(context: object, flow: FlowName): Plans {
  const flows = plansBy.get(context) ?? new Map<FlowName, Plans>();
  plansBy.set(context, flows);
  const plans: Plans = flows.get(flow) ?? { seen: new Map<string, Seen>(), planning: new Set(), looking: new Set() };
  flows.set(flow, plans);
  return plans;
}

/**
 * Runs an attempt on a key. Its writes change the remaining writes even if the key's version stays. So plans from
 * before or during the attempt are dropped.
 */
export async function invalidatingPlans<T>(
  context: object,
  flow: FlowName,
  key: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const { seen, planning, looking } = plansSeen(context, flow);
  looking.add(key);
  try {
    return await attempt();
  } finally {
    looking.delete(key);
    planning.delete(key);
    seen.delete(key);
  }
}
