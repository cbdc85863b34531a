import { csvLine } from './mapping/csv.ts';
import type { PlanItem } from './plan-item.ts';

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
