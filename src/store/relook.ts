import { and, eq, inArray } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { erpOrders, mappings, orderLines, orders } from './schema.ts';
import { markWork, releaseWork } from './work.ts';

/** Two entities whose link comes or goes. */
interface Linked {
  readonly account: string;
  readonly kind: 'product' | 'order' | 'customer';
  readonly marketplaceId: string | null;
  readonly erpId: string | null;
}

/** Has everything looked at that this link matters to, what waited for it above all, in the caller's transaction. */
export function markLinked(tx: Queryable, linked: Linked, reason: string, nowMs: number): void {
  const { account, kind, marketplaceId, erpId } = linked;
  const mark = (flow: string, keys: readonly string[]) => {
    for (const key of new Set(keys)) markWork(tx, { account, flow, key }, 'poll', reason, nowMs);
  };
  const erpKeys = erpId === null ? [] : [erpId];
  if (kind === 'order') {
    mark('order', marketplaceId === null ? [] : [marketplaceId]);
    mark(
      'erp-order',
      erpKeys.filter((id) => isMadeInErp(tx, account, id)),
    );
    mark('stock', marketplaceId === null ? [] : productsOf(tx, account, marketplaceId));
    return;
  }
  if (kind === 'product') {
    mark('product', erpKeys);
    mark('stock', erpKeys);
  }
  mark('order', marketplaceId === null ? [] : ordersNaming(tx, account, kind, Number(marketplaceId)));
  // An order made in the ERP names neither by the marketplace's id.
  releaseWork(tx, { account, flow: 'erp-order' });
}

function isMadeInErp(tx: Queryable, account: string, id: string): boolean {
  const where = and(eq(erpOrders.account, account), eq(erpOrders.id, id), eq(erpOrders.origin, 'erp'));
  return tx.select({ id: erpOrders.id }).from(erpOrders).where(where).get() !== undefined;
}

function ordersNaming(tx: Queryable, account: string, kind: 'product' | 'customer', id: number): string[] {
  const found =
    kind === 'product'
      ? tx
          .select({ number: orderLines.number })
          .from(orderLines)
          .where(and(eq(orderLines.account, account), eq(orderLines.productId, id)))
          .all()
      : tx
          .select({ number: orders.number })
          .from(orders)
          .where(and(eq(orders.account, account), eq(orders.customerId, id)))
          .all();
  return found.map(({ number }) => number);
}

/** The ERP's products in an order: what of them it counts hangs on the link of the order. */
function productsOf(tx: Queryable, account: string, number: string): string[] {
  const lines = tx
    .select({ id: orderLines.productId })
    .from(orderLines)
    .where(and(eq(orderLines.account, account), eq(orderLines.number, number)))
    .all();
  const listingIds = lines.map(({ id }) => String(id));
  const linked = and(
    eq(mappings.account, account),
    eq(mappings.kind, 'product'),
    inArray(mappings.marketplaceId, listingIds),
  );
  const found = tx.select({ erpId: mappings.erpId }).from(mappings).where(linked).all();
  return found.flatMap(({ erpId }) => (erpId === null ? [] : [erpId]));
}
