import type { AccountConfig } from '../config/resolve.ts';
import { ordersFromNow } from '../shadow/orders-from.ts';
import type { Store } from '../store/store.ts';

/** Orders from before the date from which orders count. */
export interface HistoryStatus {
  /** null: all orders count. */
  readonly from: string | null;
  /** Orders that stay out of the ERP. */
  readonly history: number;
  /** Orders that were open then and wait for one approval. */
  readonly waits: number;
}

export async function historyStatus(config: AccountConfig, store: Store): Promise<HistoryStatus> {
  const account = config.name;
  const from = await ordersFromNow({ account, config, store });
  if (from === null) return { from: null, history: 0, waits: 0 };
  const { history, waits } = await store.orders.unlinkedByStanding(account, from);
  return { from: from.at, history, waits };
}
