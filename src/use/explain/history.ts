import { orderStanding } from '../../domain/history.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { ordersFromNow } from '../../shadow/orders-from.ts';
import type { EntityIds } from '../../store/entities.ts';

/** Why an order is history; null: it is not, or the ERP has it. */
export async function historyText(context: AccountRecords, { kind, marketplaceId }: EntityIds): Promise<string | null> {
  if (kind !== 'order' || marketplaceId === null) return null;
  const { account, store } = context;
  const stored = await store.orders.get(account, marketplaceId);
  const from = await ordersFromNow(context);
  if (stored === null || from === null || orderStanding(stored.seen, from) !== 'history') return null;
  if ((await store.mappings.byMarketplaceId(account, 'order', marketplaceId))?.state === 'linked') return null;
  const { firstStatus, history } = stored.seen;
  const was = firstStatus === null ? '' : `, and was ${firstStatus} when it was seen first`;
  const decided = history === 'leave' ? ' A person decided not to enter it.' : '';
  return `It is from before ${from.at}${was}.${decided} So it is history: it stays out of the ERP, whatever is edited on it.`;
}
