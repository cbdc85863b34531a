import type { AccountConfig } from '../config/resolve.ts';
import type { OrdersFrom } from '../domain/history.ts';
import { ordersFromNow } from '../shadow/orders-from.ts';
import type { Store } from '../store/store.ts';

/** The orders from before the date from which orders count. */
export interface HistoryStatus {
  /** null: every order counts. */
  readonly from: string | null;
  /** The orders that stay out of the ERP. */
  readonly history: number;
  /** The orders that were open then, and wait for one approval. */
  readonly waits: number;
}

export async function historyStatus(config: AccountConfig, store: Store): Promise<HistoryStatus> {
  const account = config.name;
  const from = await ordersFromNow({ account, config, store });
  if (from === null) return { from: null, history: 0, waits: 0 };
  const { history, waits } = await store.orders.unlinkedByStanding(account, from);
  return { from: from.at, history, waits };
}

/**
 * Says from when the orders of an account count.
 * @param recorded the date that is in force; null: none is; undefined: the records were not looked at, or there are none yet
 */
export function ordersFromText({ orders }: AccountConfig, recorded?: OrdersFrom | null): string {
  if (orders.history === 'enter') return 'every order is entered, also those of the past (orders.history: enter)';
  if (orders.exportFrom !== null) return `orders count from ${orders.exportFrom}, as orders.export_from says`;
  if (recorded === undefined) return 'orders.export_from is not set: orders count from the first start';
  if (recorded === null) return 'orders.export_from is not set, and was not at the first start: every order counts';
  return `orders.export_from is not set: orders count from ${recorded.at}, which is on record since the first start`;
}
