import type { Intent, NewIntent } from '../../store/intents.ts';
import type { Store } from '../../store/store.ts';
import type { WorkKey } from '../../store/work.ts';

/** The creates that were tried for what a flow's key names, newest first: with an order, also that of its customer. */
export async function createsOf(store: Store, target: WorkKey): Promise<Intent[]> {
  const found: Intent[] = [];
  for (const { kind, key } of await kindsOf(store, target)) {
    found.push(...(await store.intents.of({ account: target.account, kind, key })));
  }
  return found.toSorted((a, b) => b.id - a.id);
}

async function kindsOf(store: Store, { account, flow, key }: WorkKey): Promise<Pick<NewIntent, 'kind' | 'key'>[]> {
  if (flow === 'facility-stock') return [{ kind: 'reconcile', key }];
  // An image is never in doubt: what stands in its place is taken for it.
  if (flow === 'product-images') return [];
  if (flow === 'product') return [{ kind: 'product', key }];
  if (flow === 'stock')
    return [
      { kind: 'product', key },
      { kind: 'unseen-sale', key },
    ];
  if (flow === 'customer') return [{ kind: 'marketplace-customer', key }];
  if (flow === 'new-customer') return [{ kind: 'customer', key }];
  if (flow === 'payment') return [{ kind: 'erp-payment', key }];
  if (flow === 'erp-payment') return [{ kind: 'marketplace-payment', key }];
  if (flow === 'erp-order') return [{ kind: 'marketplace-order', key }];
  const customerId = (await store.orders.get(account, key))?.order.customer.id ?? null;
  const ofCustomer = customerId === null ? [] : [{ kind: 'customer' as const, key: String(customerId) }];
  return [{ kind: 'erp-order', key }, ...ofCustomer];
}
