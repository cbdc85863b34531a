import { INTENT_KINDS, type IntentKind } from '../../store/sqlite/intent-kinds.ts';
import type { Intent, NewIntent } from '../../store/sqlite/intents.ts';
import type { Store } from '../../store/sqlite/store.ts';
import type { WorkKey } from '../../store/sqlite/work.ts';

/**
 * What was tried for what a flow's key names, newest first: with an order, also the create of its customer; with stock,
 * that of its listing.
 */
export async function createsOf(store: Store, target: WorkKey): Promise<Intent[]> {
  const found: Intent[] = [];
  for (const { kind, key } of [...ofFlow(target), ...(await needed(store, target))]) {
    found.push(...(await store.intents.of({ account: target.account, kind, key })));
  }
  return found.toSorted((a, b) => b.id - a.id);
}

type Tried = Pick<NewIntent, 'kind' | 'key'>;

function ofFlow({ flow, key }: WorkKey): Tried[] {
  const kinds = Object.keys(INTENT_KINDS) as IntentKind[];
  return kinds.filter((kind) => INTENT_KINDS[kind].flow === flow).map((kind) => ({ kind, key }));
}

async function needed(store: Store, { account, flow, key }: WorkKey): Promise<Tried[]> {
  if (flow === 'stock') return [{ kind: 'product', key }];
  if (flow !== 'order') return [];
  const customerId = (await store.orders.get(account, key))?.order.customer.id ?? null;
  return customerId === null ? [] : [{ kind: 'customer', key: String(customerId) }];
}
