import { type Cause, cause, sentenceOf, sentencesOf } from '../../../domain/causes/cause.ts';
import { inCurrency } from '../../../domain/money-text.ts';
import { DELETED, isDead, isKnownStatus, rankOf } from '../../../domain/status.ts';
import { erpStatusFor, isExported } from '../../../domain/strategy.ts';
import type { ErpOrderDraft } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { act, type Decision, hold, holdForLink, inSync } from '../../engine/decision.ts';
import { hasShipped } from '../partial-shipment.ts';
import { BACKORDER, decideBackorder } from './backorder.ts';
import { agreedBase } from './base.ts';
import { cancelInErp, deadButShipped, decideDeleted } from './cancel.ts';
import { decideContent, unreadCause } from './content.ts';
import { withinEditing } from './editing.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';
import { revertedStatus } from './statuses.ts';
import { nextTransition } from './transition.ts';
import { showLines } from './wanted.ts';

const ORDERS_READ_BY_THEN_MS = 60_000;

export function decideOrderIn(snapshot: OrderInSnapshot): Decision<OrderInAction> {
  const { order, erpOrders, number } = snapshot;
  if (snapshot.invalidRow !== null)
    return hold(cause('order-invalid', { order: number, problem: snapshot.invalidRow }));
  if (order === null) return decideWithoutOrder(snapshot);
  const { status } = order.order;
  if (!isKnownStatus(status)) {
    const erpOrder = snapshot.linked ? (erpOrders[0]?.id ?? null) : null;
    return hold(cause('order-status-unknown', { order: number, status, erpOrder }));
  }
  if (snapshot.openCreate !== null) return hold(snapshot.openCreate);
  if (snapshot.invalidErpRow !== null) {
    const id = erpOrders[0]?.id ?? number;
    return hold(cause('erp-order-invalid', { order: id, problem: snapshot.invalidErpRow }));
  }
  const followed = decideFollow(snapshot);
  if (followed !== null) return followed;
  const live = erpOrders.filter((erpOrder) => erpOrder.status !== 'cancelled');
  if (live.length > 1) {
    return holdForLink(cause('several-erp-orders', { order: number, erpOrders: live.map(({ id }) => id) }));
  }
  const erpOrder = live[0] ?? erpOrders[0];
  if (erpOrder === undefined) return decideExport(snapshot, order);
  if (erpOrder.finished === false && !snapshot.linked && erpOrder.origin === 'marketplace')
    return decideExport(snapshot, order);
  if (erpOrder.finished === false && !isDead(status))
    return hold(cause('erp-order-unfinished', { erpOrder: erpOrder.id }));
  const decision = decideLinked(snapshot, order, erpOrder);
  const lookAgainMs = decision.lookAgainMs ?? snapshot.unsettledMs;
  return { ...decision, lookAgainMs, alerts: [...besideAlerts(snapshot, erpOrder), ...decision.alerts] };
}

function decideWithoutOrder({ number, orphan }: OrderInSnapshot): Decision<OrderInAction> {
  if (orphan === null) return inSync();
  if (!orphan.isCertain) return { ...inSync(), lookAgainMs: ORDERS_READ_BY_THEN_MS };
  return inSync([cause('order-not-there', { order: number, erpOrder: orphan.erpOrder })]);
}

/**
 * Some ERPs amend an order by canceling it and copying it under the same reference. The live copy becomes the linked
 * order. null: the linked order is live, or has no copy.
 */
function decideFollow({ number, linked, erpOrders, beside }: OrderInSnapshot): Decision<OrderInAction> | null {
  const [own] = erpOrders;
  if (!linked || (own !== undefined && own.status !== 'cancelled')) return null;
  const [copy, ...more] = beside.filter(({ finished }) => finished !== false);
  if (copy === undefined) return null;
  if (more.length > 0) {
    return holdForLink(cause('several-erp-orders', { order: number, erpOrders: [copy, ...more].map(({ id }) => id) }));
  }
  const before = own === undefined ? 'linked to an ERP order that is gone' : `linked to ERP order ${own.id}, cancelled`;
  const change = { before, after: `linked to ERP order ${copy.id}`, why: `the ERP has ${copy.id} in its place` };
  return act([{ action: 'order-in.follow', target: `order ${number}`, ...change, erpId: copy.id }]);
}

/** Duplicate ERP orders take the stock twice. An ERP-made order under this number may be mistaken for this order. */
function besideAlerts({ number, beside, reusing }: OrderInSnapshot, { id }: StoredErpOrder): Cause[] {
  const others = beside.map((other) => `${other.id} (${other.status})`);
  return [
    ...(others.length === 0 ? [] : [cause('erp-orders-beside', { order: number, erpOrder: id, others })]),
    ...(reusing.length === 0 ? [] : [cause('erp-reference-reused', { order: number, others: [...reusing] })]),
  ];
}

function decideExport(snapshot: OrderInSnapshot, stored: StoredOrder): Decision<OrderInAction> {
  const { order } = stored;
  const { rules, wanted, number } = snapshot;
  if (!snapshot.linked && snapshot.standing !== 'work') return decideHistory(snapshot, stored);
  if (order.status === BACKORDER) return decideBackorder(snapshot);
  if (snapshot.linked) return isDead(order.status) ? inSync() : hold(cause('erp-order-gone', { order: number }));
  if (!isExported(rules.strategy, order.status)) return inSync();
  if (order.externalId !== null) {
    const about = { order: number, externalId: order.externalId, other: snapshot.externalIdOf };
    return holdForLink(cause('external-id-without-order', about));
  }
  if (wanted === null || 'problem' in wanted) return hold(unreadCause(number, wanted));
  if (wanted.unfit !== null) return hold(wanted.unfit);
  // A create in doubt is settled anyway.
  if (snapshot.referencesDiffer !== null && !snapshot.createInDoubt) return hold(snapshot.referencesDiffer);
  const customer = customerStep(snapshot, order.customer);
  if (customer !== null) return customer;
  const status = erpStatusFor(rules.strategy, order.status);
  const { lines, discount, shipping, tax, total } = wanted;
  const money = { discount, shipping, tax, total };
  const { taxUnknown } = wanted;
  const doubts = [...(taxUnknown === null ? [] : [taxUnknown]), ...wanted.alerts.filter((one) => one !== taxUnknown)];
  const draft: ErpOrderDraft = {
    reference: number,
    status,
    customer: customerOf(snapshot, order.customer),
    currency: rules.currency,
    lines,
    ...money,
    note: sentencesOf(doubts),
    ...snapshot.delivery,
  };
  const after = `${status}: ${showLines(lines, rules.currency)}; total ${inCurrency(total, rules.currency)}`;
  const why = `${order.status} on the marketplace`;
  const agreed = agreedBase(null, wanted);
  const adoptOnly = snapshot.referencesDiffer !== null;
  return act(
    [
      {
        action: 'order-in.create',
        target: `ERP order for ${number}`,
        before: null,
        after,
        why,
        draft,
        agreed,
        adoptOnly,
      },
    ],
    wanted.alerts,
  );
}

/**
 * An order that was open at the start date waits for one approval with all others, because it may have been entered by
 * hand.
 */
function decideHistory(snapshot: OrderInSnapshot, stored: StoredOrder): Decision<OrderInAction> {
  const { number, standing, from } = snapshot;
  const { status } = stored.order;
  if (standing === 'history' || isDead(status)) return inSync();
  const historyBefore = from ?? '';
  const { after, until } = onceApproved(decideExport({ ...snapshot, standing: 'work' }, stored));
  const change = { before: status, after, why: `open, and from before ${historyBefore}${until}` };
  return act([{ action: 'order-in.enter', target: `order ${number}`, ...change, brake: 'history', historyBefore }]);
}

/**
 * Describes what an approval would do. It does not override other rules that keep the order out. Approvals are bound to
 * the text `after`, so the reason, which may change, is kept apart in `until`.
 */
function onceApproved({ actions: [first], holds: [why] }: Decision<OrderInAction>) {
  if (first !== undefined) {
    const isMoved = first.action === 'order-in.transition';
    const after = isMoved ? `${first.to} on the marketplace, and then entered in the ERP` : 'entered in the ERP';
    return { after, until: '' };
  }
  const until = why === undefined ? 'it goes to the ERP in a later status' : sentenceOf(why);
  return { after: 'taken up, and not entered in the ERP yet', until: `; ${until}` };
}

type Customer = StoredOrder['order']['customer'];

/** The step that the customer needs before the export. null: none. */
function customerStep(snapshot: OrderInSnapshot, { id, name }: Customer): Decision<OrderInAction> | null {
  const { onUnmappedCustomer } = snapshot.rules;
  if (snapshot.customer.gone !== null) return hold(snapshot.customer.gone);
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
  if (snapshot.ofOther !== null) {
    const about = { order: snapshot.number, erpOrder: erpOrder.id, other: snapshot.ofOther };
    return holdForLink(cause('erp-order-of-another', about));
  }
  const { externalId } = order;
  if (externalId !== null && externalId !== erpOrder.id && !snapshot.base?.former?.includes(externalId)) {
    return holdForLink(cause('external-id-differs', { order: snapshot.number, externalId, erpOrder: erpOrder.id }));
  }
  const back = revertedStatus(snapshot, order, erpOrder);
  if (back !== null) return hold(back);
  const dead = isDead(order.status);
  if (order.status === DELETED) return decideDeleted(snapshot, erpOrder, target);
  // Canceling a dead order in the ERP frees its stock, so it comes first.
  const tooLateToCancel = hasShipped(erpOrder);
  if (dead && erpOrder.status !== 'cancelled' && !tooLateToCancel)
    return cancelInErp(snapshot, erpOrder, order.status, target);
  const tooLate = dead && tooLateToCancel ? deadButShipped(snapshot, order.status, erpOrder) : null;
  const rest =
    tooLate !== null
      ? hold<OrderInAction>(tooLate)
      : dead
        ? inSync<OrderInAction>()
        : decideAlive(snapshot, stored, erpOrder);
  // A write to the ERP never waits for a report to the marketplace.
  if (externalId === erpOrder.id || rest.actions.some(({ action }) => action === 'order-in.update')) return rest;
  const change = { before: externalId, after: erpOrder.id, why: 'the ERP has it', follows: true } as const;
  return act(
    [{ action: 'order-in.mark', target: `external_id of order ${snapshot.number}`, ...change, erpId: erpOrder.id }],
    [...rest.holds, ...rest.alerts],
  );
}

function decideAlive(
  snapshot: OrderInSnapshot,
  stored: StoredOrder,
  erpOrder: StoredErpOrder,
): Decision<OrderInAction> {
  const { order } = stored;
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

function transitionStep(snapshot: OrderInSnapshot, status: string, erpOrder: StoredErpOrder): Decision<OrderInAction> {
  const next = nextTransition(snapshot.number, status, erpOrder, snapshot.rules.transitions);
  if (next.kind === 'done') return inSync();
  if (next.kind === 'refused') return hold(next.cause);
  const { name, from, to } = next;
  if (to === 'Rejected' && snapshot.graceLeftMs !== null) {
    const alert = cause('cancelled-just-now', {
      order: snapshot.number,
      erpOrder: erpOrder.id,
      at: erpOrder.changedAt,
    });
    return { ...inSync([alert]), lookAgainMs: snapshot.graceLeftMs };
  }
  const why = `${erpOrder.status} in the ERP`;
  const change = { before: status, after: to, why, follows: true } as const;
  const brake = to === 'Rejected' ? { brake: 'reject' as const } : {};
  const step = { name, from, to, statuses: { marketplace: to, erp: erpOrder.status } };
  return act([{ action: 'order-in.transition', target: `order ${snapshot.number}`, ...change, ...brake, ...step }]);
}
