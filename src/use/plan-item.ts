import type { ShownCause } from '../domain/causes/cause.ts';
import type { FlowName } from '../flows/flows.ts';

/** One entity that is not in step. */
export interface PlanItem {
  readonly account: string;
  readonly flow: FlowName;
  readonly key: string;
  /** Everything that is written until it is in step, in that order, and then everything that is stopped. */
  readonly actions: readonly PlannedWrite[];
  /** Why nothing (more) can be done for it. */
  readonly holds: readonly ShownCause[];
  readonly alerts: readonly ShownCause[];
}

export interface PlannedWrite {
  readonly action: string;
  /** `(new)` stands for an id that only the write itself brings. */
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** Names of the fields whose text a person wrote, and that it replaces. */
  readonly replaces: readonly string[];
  /** Why it would not be made: a pause, a brake, or another hold. */
  readonly stoppedBy: ShownCause | null;
}

/** Writes to neither side. */
export function isLink(action: string): boolean {
  return action.endsWith('.link');
}
