import type { Store } from '../../store/store.ts';
import { type PlanPart, partOf } from '../plan-filter.ts';
import type { PlanItem } from '../plan-item.ts';
import type { Plans } from './plans.ts';
import type { StoredPlan } from './stored.ts';

interface ChangesAsked extends PlanPart {
  /** One kind of write, or only `held`, `stopped` or `alert`. */
  readonly kind?: string | undefined;
}

interface ChangesPage {
  readonly items: readonly PlanItem[];
  /** How many items to skip for the next page; null: no more. */
  readonly next: number | null;
}

/**
 * The matching items of a plan, with only the requested parts.
 * @throws UsageError for an unknown flow, product or order, NotFound for an ambiguous name
 */
export async function* changesOf(
  plans: Pick<Plans, 'items'>,
  store: Store,
  plan: StoredPlan,
  { kind, ...part }: ChangesAsked,
): AsyncGenerator<PlanItem> {
  const { includes } = await partOf({ account: plan.account, store }, part);
  for await (const item of plans.items(plan)) {
    if (!includes(item)) continue;
    const its = kind === undefined ? item : ofKind(item, kind);
    if (its.actions.length + its.holds.length + its.alerts.length > 0) yield its;
  }
}

function ofKind(item: PlanItem, kind: string): PlanItem {
  const none = { actions: [], holds: [], alerts: [] };
  if (kind === 'held') return { ...item, ...none, holds: item.holds };
  if (kind === 'alert') return { ...item, ...none, alerts: item.alerts };
  const actions = item.actions.filter(({ action, stoppedBy }) =>
    kind === 'stopped' ? stoppedBy !== null : action === kind,
  );
  return { ...item, ...none, actions };
}

/** @param after the items already shown */
export async function changesPage(
  changes: AsyncIterable<PlanItem>,
  after: number,
  limit: number,
): Promise<ChangesPage> {
  const items: PlanItem[] = [];
  let at = 0;
  for await (const item of changes) {
    at += 1;
    if (at <= after) continue;
    if (items.length === limit) return { items, next: after + limit };
    items.push(item);
  }
  return { items, next: null };
}
