import type { ShownCause } from '../domain/causes/cause.ts';
import type { FlowName } from '../flows/flows.ts';
import { csvLine } from './mapping/csv.ts';

export interface PlanItem {
  readonly account: string;
  readonly flow: FlowName;
  readonly key: string;
  /** The writes until it is in step, in order, then the stopped ones. */
  readonly actions: readonly PlannedWrite[];
  /** Why nothing (more) can be done. */
  readonly holds: readonly ShownCause[];
  readonly alerts: readonly ShownCause[];
}

export interface PlannedWrite {
  readonly action: string;
  /** `(new)`: an id that the write itself creates. */
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** Fields in which it replaces a person's text. */
  readonly replaces: readonly string[];
  /** Why it would not be made: a pause, a brake, or another hold. */
  readonly stoppedBy: ShownCause | null;
}

/** The name of an item in its plan. */
export const itemName = ({ flow, key }: Pick<PlanItem, 'flow' | 'key'>): string => `${flow}/${key}`;

export const PLAN_COLUMNS = ['account', 'flow', 'key', 'what', 'target', 'before', 'after', 'why'] as const;

/** A line for each write, hold and alert. `what` is the write's kind, `held` or `alert`. */
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
