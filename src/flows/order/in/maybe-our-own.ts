import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { candidatesOf, type Intent } from '../../../store/intents.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import type { OrderInRows } from '../../../store/observe.ts';
import { sameQuantities, type WantedOrder } from './wanted.ts';

/**
 * The poller may see our own new order before it is linked. If it were exported, it would come back into the ERP. So an
 * unlinked order that matches an open create of ours waits until the create is settled. Once an operator has to settle the
 * create, only orders that resemble it still wait.
 */
export function maybeOurOwn(
  { order }: StoredOrder,
  { carried, creates }: OrderInRows,
  wanted: WantedOrder | null,
): Cause | null {
  const { number, externalId } = order;
  if (externalId !== null) {
    return carried?.origin === 'erp' ? cause('order-adopted-soon', { order: number, erpOrder: externalId }) : null;
  }
  const its = creates.find(({ intent, erpOrder }) => mayBe(order, intent, erpOrder, wanted));
  return its === undefined ? null : cause('order-maybe-ours', { order: number, erpOrder: its.intent.key });
}

/**
 * May this order be the one that an intent created? The candidates were looked for when the create could not be applied any
 * more. So if there are candidates, the order is one of them, unless lists show orders even later than that.
 */
function mayBe(
  { number, customer }: StoredOrder['order'],
  intent: Intent,
  erpOrder: StoredErpOrder | null,
  wanted: WantedOrder | null,
): boolean {
  const candidates = candidatesOf(intent);
  if (candidates.length > 0) return candidates.includes(number);
  if (erpOrder === null) return true;
  const customerId = erpOrder.customer.marketplaceId ?? null;
  if (customerId !== null && customerId !== customer.id) return false;
  if (intent.state !== 'in-doubt' || wanted === null || 'problem' in wanted) return true;
  return sameQuantities(wanted.lines, erpOrder.lines);
}
