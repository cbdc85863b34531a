import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { rankOf } from '../../../domain/status.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';

/** This deployment's names of transitions (spec 1 documents only `fulfill`). */
export interface TransitionNames {
  readonly accept?: string | undefined;
  readonly fulfill: string;
  readonly ship?: string | undefined;
  readonly reject?: string | undefined;
}

export type NextTransition =
  | { readonly kind: 'done' }
  | { readonly kind: 'post'; readonly name: string; readonly from: string; readonly to: string }
  | { readonly kind: 'refused'; readonly cause: Cause };

const FULFILLED = 3;
const SHIPPED = 4;

export function nextTransition(
  order: string,
  status: string,
  erpOrder: Pick<StoredErpOrder, 'status' | 'origin'>,
  names: TransitionNames,
): NextTransition {
  if (erpOrder.status === 'cancelled') return afterCancelling(order, status, names);
  if (erpOrder.status === 'shipped') return afterShipping(order, status, names);
  const isAccepted = erpOrder.origin === 'erp' && erpOrder.status === 'reserved';
  return isAccepted ? afterReserving(status, names) : { kind: 'done' };
}

/** The next step of an order shipped in the ERP: to Fulfilled, and to Shipped if `ship` is configured. */
export function afterShipping(order: string, status: string, names: TransitionNames): NextTransition {
  const rank = rankOf(status);
  const goal = names.ship === undefined ? FULFILLED : SHIPPED;
  if (rank === null)
    return { kind: 'refused', cause: cause('statuses-apart', { order, status, erpStatus: 'shipped' }) };
  if (rank >= goal) return { kind: 'done' };
  if (status === 'Accepted') return { kind: 'post', name: names.fulfill, from: status, to: 'Fulfilled' };
  if (status === 'Fulfilled' && names.ship !== undefined) {
    return { kind: 'post', name: names.ship, from: status, to: 'Shipped' };
  }
  if (names.accept !== undefined) return { kind: 'post', name: names.accept, from: status, to: 'Accepted' };
  return { kind: 'refused', cause: cause('shipped-not-accepted', { order }) };
}

/** The step for an ERP-made order that is reserved by now. Its draft was created as Submitted. */
export function afterReserving(status: string, names: TransitionNames): NextTransition {
  if (status !== 'Submitted' || names.accept === undefined) return { kind: 'done' };
  return { kind: 'post', name: names.accept, from: status, to: 'Accepted' };
}

export function afterCancelling(order: string, status: string, names: TransitionNames): NextTransition {
  const rank = rankOf(status);
  if (rank === null) return { kind: 'done' };
  if (names.reject === undefined) {
    return { kind: 'refused', cause: cause('cancelled-not-rejected', { order, status }) };
  }
  return { kind: 'post', name: names.reject, from: status, to: 'Rejected' };
}
