import { Decimal, ZERO } from '../domain/decimal.ts';
import { unitCountText } from '../domain/figure-text.ts';
import { observeStock } from '../flows/stock/observe.ts';
import type { AccountRecords } from '../shadow/context.ts';

export interface HoldingOrder {
  readonly number: string;
  /** null: not in the ERP. */
  readonly erpId: string | null;
  readonly customer: string | null;
  readonly status: string | null;
  /** `3 units` */
  readonly units: string;
  /** Since when; null: unknown. */
  readonly since: string | null;
}

/** Oldest first. */
export async function ordersHolding(context: AccountRecords, productId: string): Promise<HoldingOrder[]> {
  const { account, store } = context;
  const { lines } = await observeStock(context, productId);
  const ofOrders = Map.groupBy(lines, ({ order }) => order);
  const found = [...ofOrders].map(async ([number, own]): Promise<HoldingOrder[]> => {
    if (number === null) return [];
    const stored = await store.orders.get(account, number);
    const link = await store.mappings.byMarketplaceId(account, 'order', number);
    const units = own.reduce((total, { quantity }) => total.plus(quantity), new Decimal(ZERO));
    return [
      {
        number,
        erpId: link?.erpId ?? null,
        customer: stored?.order.customer.name ?? null,
        status: stored?.order.status ?? null,
        units: unitCountText(units.toFixed()),
        since: stored?.seen.firstModified ?? stored?.order.modified ?? null,
      },
    ];
  });
  const orders = (await Promise.all(found)).flat();
  return orders.toSorted((one, other) => Date.parse(one.since ?? '') - Date.parse(other.since ?? ''));
}
