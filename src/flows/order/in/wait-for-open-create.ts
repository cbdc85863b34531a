import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { candidatesOf, type Intent } from '../../../store/intents.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import type { OrderInRows } from '../../../store/observe.ts';
import { sameQuantities, type WantedOrder } from './wanted.ts';

/**
 * A poll may show our own new order before it is linked, and exporting it would duplicate it in the ERP. So an unlinked
 * order that matches an open create waits until that is settled. While an operator settles it, only similar orders
 * wait.
 */
export function waitForOpenCreate(
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
 * Returns whether the order may result from this intent. The intent's candidates were searched for after the settle
 * time. If there are any, the created order is one of them, unless lists show orders even later than that.
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
