import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { agreedStatuses, baseOf } from '../../../domain/order-base.ts';
import { DELETED, rankOf } from '../../../domain/status.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { act, type Decision, hold, inSync } from '../../engine/decision.ts';
import { hasShipped } from '../partial-shipment.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';

/* Orders that are over on the marketplace, and not in the ERP. */

/** A cancellation that the ERP refused is a person's, until the order changes there. */
export function cancelInErp(
  { number, cancelRefused }: OrderInSnapshot,
  erpOrder: StoredErpOrder,
  status: string,
  target: string,
): Decision<OrderInAction> {
  if (cancelRefused?.changedAt === erpOrder.changedAt) {
    const { message } = cancelRefused;
    return hold(cause('cancel-refused', { order: number, erpOrder: erpOrder.id, status, message }));
  }
  const change = { before: erpOrder.status, after: 'cancelled', why: `${status} on the marketplace` };
  const statuses = { marketplace: status, erp: 'cancelled' };
  const sent = { erpId: erpOrder.id, change: { status: 'cancelled' }, statuses } as const;
  return act([{ action: 'order-in.update', target, ...change, ...sent }]);
}

/** The status to return to must not be before the last agreed one, or the order would count as reverted. */
export function deadButShipped(
  { number, base }: OrderInSnapshot,
  status: string,
  { id, status: erp }: StoredErpOrder,
): Cause {
  const agreed = agreedStatuses(baseOf(base, id), { marketplace: status, erp })?.marketplace ?? '';
  const left = (rankOf(agreed) ?? 0) > (rankOf('Fulfilled') ?? 0) ? agreed : 'Fulfilled';
  return cause('dead-but-shipped', { order: number, erpOrder: id, status, back: erp === 'shipped' ? left : null });
}

/** The ERP owns orders that it created. They are not canceled if the marketplace's copy is deleted. */
export function decideDeleted(
  snapshot: OrderInSnapshot,
  erpOrder: StoredErpOrder,
  target: string,
): Decision<OrderInAction> {
  const { number, rules } = snapshot;
  const { id, status: erpStatus, origin } = erpOrder;
  if (['cancelled', 'shipped'].includes(erpStatus)) return inSync();
  if (rules.deleted === 'tell' || origin === 'erp' || hasShipped(erpOrder)) {
    return inSync([cause('order-deleted', { order: number, erpOrder: id, erpStatus })]);
  }
  const cancelled = cancelInErp(snapshot, erpOrder, DELETED, target);
  if (cancelled.holds.length > 0) return cancelled;
  return act(
    cancelled.actions.map((action) => ({ ...action, why: 'gone from the marketplace', brake: 'reject' as const })),
  );
}
