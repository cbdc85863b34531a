import type { ShownCause } from '../domain/causes/cause.ts';
import type { FlowName } from '../flows/flows.ts';
import { csvLine } from './mapping/csv.ts';

/** One entity that is not in step. */
export interface PlanItem {
  readonly account: string;
  readonly flow: FlowName;
  readonly key: string;
  /** The writes until the entity is in step, in their order, and then the writes that are stopped. */
  readonly actions: readonly PlannedWrite[];
  /** The reasons why nothing (more) can be done for the entity. */
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
  /** The names of the fields in which the write replaces a text that a person wrote. */
  readonly replaces: readonly string[];
  /** The reason why the write would not be made: a pause, a brake, or another hold. */
  readonly stoppedBy: ShownCause | null;
}

export const PLAN_COLUMNS = ['account', 'flow', 'key', 'what', 'target', 'before', 'after', 'why'] as const;

/** One line for each write, hold and alert of an entity. `what` is the kind of write, `held` or `alert`. */
export function csvOf({ account, flow, key, actions, holds, alerts }: PlanItem): string[] {
  const rows = [
    ...actions.map(({ action, target, before, after, why, stoppedBy }) => {
      const stopped = stoppedBy === null ? why : `stopped: ${stoppedBy.text}`;
      return [action, target, before ?? '', after ?? '', stopped];
    }),
    ...holds.map(({ text }) => ['held', '', '', '', text]),
    ...alerts.map(({ text }) => ['alert', '', '', '', text]),
  ];
  return rows.map((row) => csvLine([account, flow, key, ...row]));
}
