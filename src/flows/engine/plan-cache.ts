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

/** The plans of the waiting keys of a flow: a large catalogue is not compared anew for each write. */
interface Plans {
  readonly seen: Map<string, Seen>;
  /** Keys that are being planned right now. */
  readonly planning: Set<string>;
  /** Keys that are being looked at right now. */
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
 * Reconciles a key. Its writes need not change the version of the key, but they change the writes that are left. So no plan from
 * before or during the attempt is used after it.
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
