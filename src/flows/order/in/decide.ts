import { type Cause, cause, sentencesOf } from '../../../domain/causes/cause.ts';
import { recordOf } from '../../../domain/order-base.ts';
import { DELETED, isDead, isKnownStatus, rankOf } from '../../../domain/status.ts';
import { erpStatusFor, isExported } from '../../../domain/strategy.ts';
import type { ErpOrderDraft } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { act, contested, type Decision, hold, inSync } from '../../engine/decision.ts';
import { hasShipped } from '../short.ts';
import { BACKORDER, decideBackorder } from './backorder.ts';
import { agreedOnce } from './base.ts';
import { decideContent, unread } from './content.ts';
import { withinEditing } from './editing.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';
import { nextTransition } from './transition.ts';
import { showLines } from './wanted.ts';

export function decideOrderIn(snapshot: OrderInSnapshot): Decision<OrderInAction> {
  const { order, erpOrders, number } = snapshot;
  if (snapshot.misfit !== null) return hold(cause('order-misfit', { order: number, problem: snapshot.misfit }));
  if (order === null) return inSync();
  const { status } = order.order;
  if (!isKnownStatus(status)) return hold(cause('order-status-unknown', { order: number, status }));
  if (snapshot.maybeOurOwn !== null) return hold(snapshot.maybeOurOwn);
  if (snapshot.erpMisfit !== null) {
    const id = erpOrders[0]?.id ?? number;
    return hold(cause('erp-order-misfit', { order: id, problem: snapshot.erpMisfit }));
  }
  const live = erpOrders.filter((erpOrder) => erpOrder.status !== 'cancelled');
  if (live.length > 1) {
    return contested(cause('several-erp-orders', { order: number, erpOrders: live.map(({ id }) => id) }));
  }
  const erpOrder = live[0] ?? erpOrders[0];
  if (erpOrder === undefined) return decideExport(snapshot, order);
  if (erpOrder.finished === false && !snapshot.linked && erpOrder.origin === 'marketplace')
    return decideExport(snapshot, order);
  if (erpOrder.finished === false && !isDead(status))
    return hold(cause('erp-order-unfinished', { erpOrder: erpOrder.id }));
  const decision = decideLinked(snapshot, order, erpOrder);
  return { ...decision, alerts: [...besideAlerts(snapshot, erpOrder), ...decision.alerts] };
}

/** An order that is in the ERP twice takes its stock twice. */
function besideAlerts({ number, beside }: OrderInSnapshot, { id }: StoredErpOrder): Cause[] {
  if (beside.length === 0) return [];
  const others = beside.map((other) => `${other.id} (${other.status})`);
  return [cause('erp-orders-beside', { order: number, erpOrder: id, others })];
}

function decideExport(snapshot: OrderInSnapshot, { order }: StoredOrder): Decision<OrderInAction> {
  const { rules, wanted, number } = snapshot;
  if (!snapshot.linked && snapshot.standing !== 'work') return decideHistory(snapshot, order.status);
  if (order.status === BACKORDER) return decideBackorder(snapshot);
  if (snapshot.linked) return isDead(order.status) ? inSync() : hold(cause('erp-order-gone', { order: number }));
  if (!isExported(rules.strategy, order.status)) return inSync();
  if (order.externalId !== null) {
    return contested(cause('external-id-without-order', { order: number, externalId: order.externalId }));
  }
  if (wanted === null || 'problem' in wanted) return hold(unread(number, wanted));
  const customer = customerStep(snapshot, order.customer);
  if (customer !== null) return customer;
  const status = erpStatusFor(rules.strategy, order.status);
  const { lines, discount, shipping, tax, total } = wanted;
  const money = { discount, shipping, tax, total };
  const draft: ErpOrderDraft = {
    reference: number,
    status,
    customer: customerOf(snapshot, order.customer),
    currency: rules.currency,
    lines,
    ...money,
    note: sentencesOf(wanted.alerts),
    ...snapshot.delivery,
  };
  const after = `${status}: ${showLines(lines)}; total ${total.toFixed(2)} ${rules.currency}`;
  const why = `${order.status} on the marketplace`;
  const agreed = agreedOnce(null, wanted);
  return act(
    [{ action: 'order-in.create', target: `ERP order for ${number}`, before: null, after, why, draft, agreed }],
    wanted.alerts,
  );
}

/** An order that was open at the date waits for one approval with all the others. Somebody may have entered it by hand. */
function decideHistory({ number, standing, from }: OrderInSnapshot, status: string): Decision<OrderInAction> {
  if (standing === 'history' || isDead(status)) return inSync();
  const historyBefore = from ?? '';
  const change = { before: status, after: 'entered in the ERP', why: `open, and from before ${historyBefore}` };
  return act([{ action: 'order-in.enter', target: `order ${number}`, ...change, brake: 'history', historyBefore }]);
}

type Customer = StoredOrder['order']['customer'];

/** The step that the customer needs before the order can be exported; null when none is needed. */
function customerStep(snapshot: OrderInSnapshot, { id, name }: Customer): Decision<OrderInAction> | null {
  const { onUnmappedCustomer } = snapshot.rules;
  if (snapshot.customer.erpId !== null || onUnmappedCustomer === 'pass') return null;
  if (onUnmappedCustomer === 'hold' || id === null) {
    return hold(cause('customer-unlinked', { order: snapshot.number, customer: id }));
  }
  if (snapshot.customer.waits !== null) return hold(snapshot.customer.waits);
  const named = name ?? `marketplace customer ${id}`;
  const change = {
    before: null,
    after: `ERP customer with marketplace id ${id}`,
    why: `order ${snapshot.number} needs it`,
  };
  return act([{ action: 'customer-in.create', target: `customer ${id}`, ...change, marketplaceId: id, name: named }]);
}

function customerOf({ customer }: OrderInSnapshot, { id, name }: Customer): ErpOrderDraft['customer'] {
  return {
    ...(customer.erpId === null ? {} : { id: customer.erpId }),
    ...(id === null ? {} : { marketplaceId: id }),
    ...(name === null ? {} : { name }),
  };
}

function decideLinked(
  snapshot: OrderInSnapshot,
  stored: StoredOrder,
  erpOrder: StoredErpOrder,
): Decision<OrderInAction> {
  const { order } = stored;
  const target = `ERP order ${erpOrder.id} of ${snapshot.number}`;
  if (!snapshot.linked) {
    const change = { before: 'not linked', after: `linked to ERP order ${erpOrder.id}`, why: 'found by its reference' };
    return act([{ action: 'order-in.link', target: `order ${snapshot.number}`, ...change, erpId: erpOrder.id }]);
  }
  if (order.externalId !== null && order.externalId !== erpOrder.id) {
    const { externalId } = order;
    return contested(cause('external-id-differs', { order: snapshot.number, externalId, erpOrder: erpOrder.id }));
  }
  const dead = isDead(order.status);
  if (dead && isReopened(snapshot, order.status, erpOrder)) return hold(reopened(snapshot, order.status, erpOrder));
  if (order.status === DELETED) return decideDeleted(snapshot, erpOrder, target);
  // A dead order releases its stock before anything else is decided.
  const tooLateToCancel = hasShipped(erpOrder);
  if (dead && erpOrder.status !== 'cancelled' && !tooLateToCancel) return cancelInErp(erpOrder, order.status, target);
  const tooLate =
    dead && tooLateToCancel ? cause('dead-but-shipped', { order: snapshot.number, status: order.status }) : null;
  const rest =
    tooLate !== null
      ? hold<OrderInAction>(tooLate)
      : dead
        ? inSync<OrderInAction>()
        : decideAlive(snapshot, stored, erpOrder);
  // A write to the ERP never waits for one that only reports to the marketplace.
  if (order.externalId !== null || rest.actions.some(({ action }) => action === 'order-in.update')) return rest;
  const change = { before: null, after: erpOrder.id, why: 'the ERP has it', follows: true } as const;
  return act(
    [{ action: 'order-in.mark', target: `external_id of order ${snapshot.number}`, ...change, erpId: erpOrder.id }],
    [...rest.holds, ...rest.alerts],
  );
}

/** The ERP owns an order that was made there: it is not cancelled because somebody deleted the marketplace's copy. */
function decideDeleted(
  { number, rules }: OrderInSnapshot,
  erpOrder: StoredErpOrder,
  target: string,
): Decision<OrderInAction> {
  const { id, status: erpStatus, origin } = erpOrder;
  if (['cancelled', 'shipped'].includes(erpStatus)) return inSync();
  if (rules.deleted === 'tell' || origin === 'erp' || hasShipped(erpOrder)) {
    return inSync([cause('order-deleted', { order: number, erpOrder: id, erpStatus })]);
  }
  const { actions } = cancelInErp(erpOrder, 'gone', target);
  return act(actions.map((action) => ({ ...action, why: 'gone from the marketplace', brake: 'reject' as const })));
}

/** An order that is linked and not dead on the marketplace. */
function decideAlive(
  snapshot: OrderInSnapshot,
  stored: StoredOrder,
  erpOrder: StoredErpOrder,
): Decision<OrderInAction> {
  const { order } = stored;
  if (erpOrder.status === 'cancelled' && isReopened(snapshot, order.status, erpOrder)) {
    return hold(reopened(snapshot, order.status, erpOrder));
  }
  if (erpOrder.status === 'cancelled') return transitionStep(snapshot, order.status, erpOrder);
  if (!['draft', 'reserved', 'shipped'].includes(erpOrder.status)) {
    return hold(cause('erp-order-status-unknown', { erpOrder: erpOrder.id, status: erpOrder.status }));
  }
  if (rankOf(order.status) === null) {
    const { number } = snapshot;
    return hold(cause('statuses-apart', { order: number, status: order.status, erpStatus: erpOrder.status }));
  }
  const { step, told } = withinEditing(snapshot, erpOrder, decideContent(snapshot, stored, erpOrder));
  const rest = step ?? transitionStep(snapshot, order.status, erpOrder);
  return { ...rest, alerts: [...told, ...rest.alerts] };
}

/** Both sides had agreed that the order is over, and a person has opened it again on one side. */
function isReopened({ base }: OrderInSnapshot, status: string, erpOrder: StoredErpOrder): boolean {
  const agreed = recordOf(base, erpOrder.id)?.agreed?.statuses;
  if (agreed?.erp !== 'cancelled') return false;
  return isDead(status) ? erpOrder.status !== 'cancelled' : isDead(agreed.marketplace);
}

function reopened({ number }: OrderInSnapshot, status: string, erpOrder: StoredErpOrder): Cause {
  const by = isDead(status) ? 'erp' : 'marketplace';
  return cause('reopened', { order: number, erpOrder: erpOrder.id, status, erpStatus: erpOrder.status, by });
}

function cancelInErp(erpOrder: StoredErpOrder, status: string, target: string): Decision<OrderInAction> {
  const change = { before: erpOrder.status, after: 'cancelled', why: `${status} on the marketplace` };
  return act([{ action: 'order-in.update', target, ...change, erpId: erpOrder.id, change: { status: 'cancelled' } }]);
}

function transitionStep(snapshot: OrderInSnapshot, status: string, erpOrder: StoredErpOrder): Decision<OrderInAction> {
  const next = nextTransition(snapshot.number, status, erpOrder, snapshot.rules.transitions);
  if (next.kind === 'done') return inSync();
  if (next.kind === 'refused') return hold(next.cause);
  const { name, from, to } = next;
  const why = `${erpOrder.status} in the ERP`;
  const change = { before: status, after: to, why, follows: true } as const;
  const brake = to === 'Rejected' ? { brake: 'reject' as const } : {};
  return act([
    { action: 'order-in.transition', target: `order ${snapshot.number}`, ...change, ...brake, name, from, to },
  ]);
}
