import type { Known } from '../../shadow/context.ts';
import type { EntityIds } from '../../store/entities.ts';
import type { Related } from './explanation.ts';

const MOST = 50;

/** The entities that an entity belongs to, or that belong to it. */
export async function relatedTo(context: Known, { kind, marketplaceId }: EntityIds): Promise<Related[]> {
  if (marketplaceId === null) return [];
  if (kind === 'order') return ofOrder(context, marketplaceId);
  if (kind === 'product') return ordersOf(context, Number(marketplaceId));
  return kind === 'payment' ? orderOf(context, marketplaceId) : [];
}

async function ofOrder({ account, store }: Known, number: string): Promise<Related[]> {
  const stored = await store.orders.get(account, number);
  if (stored === null) return [];
  const { customer } = stored.order;
  const ids = [...new Set((stored.lines ?? []).map(({ productId }) => productId))].slice(0, MOST);
  const listings = await Promise.all(ids.map((id) => store.products.get(account, id)));
  const products = ids.map((id, index): Related => {
    const { sku = null, name = null } = listings[index] ?? {};
    return { kind: 'product', name: sku ?? String(id), text: name ?? `listing ${id}` };
  });
  if (customer.id === null) return products;
  return [...products, { kind: 'customer', name: String(customer.id), text: customer.name ?? 'customer' }];
}

async function ordersOf({ account, store }: Known, listingId: number): Promise<Related[]> {
  const lines = await store.orders.liveLines(account, listingId);
  const numbers = [...new Set(lines.map(({ number }) => number))].slice(0, MOST);
  return numbers.map((number) => ({ kind: 'order', name: number, text: `order ${number}` }));
}

async function orderOf({ account, store }: Known, paymentId: string): Promise<Related[]> {
  const number = (await store.payments.get(account, paymentId))?.orderNumber;
  return number == null ? [] : [{ kind: 'order', name: number, text: `order ${number}` }];
}
