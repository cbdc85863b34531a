import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { MarketplaceOrder } from '../../../domain/order.ts';
import { agreedStatuses, baseOf } from '../../../domain/order-base.ts';
import { isDead, rankOf } from '../../../domain/status.ts';
import { hadReached, revertedSide, type Statuses } from '../../../domain/status-moves.ts';
import { erpStatusFor } from '../../../domain/strategy.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { OrderInSnapshot } from './snapshot.ts';
import { nextTransition } from './transition.ts';

/* The statuses of an order in the ERP, compared with the last agreed ones. */

type Order = Pick<MarketplaceOrder, 'status' | 'modified'>;

const FULFILLED = 3;

/** Returns whether both sides agree, so that neither has to follow. An order that a person reverted is not agreed. */
export function statusesAgree(snapshot: OrderInSnapshot, order: Order, erpOrder: StoredErpOrder): boolean {
  const { status } = order;
  if (revertedStatus(snapshot, order, erpOrder) !== null) return false;
  if (isDead(status)) return erpOrder.status === 'cancelled';
  const rank = rankOf(status);
  if (rank === null || erpOrder.status === 'cancelled') return false;
  if (erpOrder.status === 'shipped') return rank >= FULFILLED;
  return (
    erpOrder.status === 'reserved' ||
    erpOrder.origin === 'erp' ||
    erpOrder.status === erpStatusFor(snapshot.rules.strategy, status)
  );
}

/**
 * Returns why the order waits for a person: somebody reverted its status since the last agreement, or moved both sides
 * in different directions. Our next step would undo that. null: nobody did.
 */
export function revertedStatus(snapshot: OrderInSnapshot, order: Order, erpOrder: StoredErpOrder): Cause | null {
  const now = { marketplace: order.status, erp: erpOrder.status };
  const agreed = agreedStatuses(baseOf(snapshot.base, erpOrder.id), now);
  if (agreed === null) return null;
  const about = { order: snapshot.number, erpOrder: erpOrder.id, status: now.marketplace, erpStatus: now.erp };
  const by = revertedSide(agreed, now) ?? (isStepAgain(snapshot, agreed, now, erpOrder) ? 'marketplace' : null);
  if (by === null) return null;
  if (by === 'both') return cause('moved-both-ways', { ...about, was: agreed.marketplace, erpWas: agreed.erp });
  const at = by === 'erp' ? erpOrder.changedAt : order.modified;
  const moved = { ...about, by, from: agreed[by], at };
  return agreed.erp === 'cancelled' ? cause('reopened', moved) : cause('moved-back', moved);
}

/** Returns whether the next step would restore the last agreed status. */
function isStepAgain(
  { number, rules }: OrderInSnapshot,
  agreed: Statuses,
  now: Statuses,
  erpOrder: StoredErpOrder,
): boolean {
  const next = nextTransition(number, now.marketplace, erpOrder, rules.transitions);
  return next.kind === 'post' && hadReached(agreed, next.to);
}
