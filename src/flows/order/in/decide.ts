import { type Cause, cause, sentencesOf } from '../../../domain/causes/cause.ts';
import { isDead, isKnownStatus, rankOf } from '../../../domain/status.ts';
import { erpStatusFor, isExported, type Strategy } from '../../../domain/strategy.ts';
import type { ErpOrderChange, ErpOrderDraft } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { act, contested, type Decision, hold, inSync, type Planned } from '../../engine/decision.ts';
import type { Braked } from '../../engine/policy.ts';
import { type DesiredOrder, sameLines, sameQuantities, showLines } from './desired.ts';
import { nextTransition, type TransitionNames } from './transition.ts';

/** Both sides of one order. */
export interface OrderInSnapshot {
  readonly number: string;
  readonly order: StoredOrder | null;
  readonly misfit: string | null;
  /** The ERP's orders for it: by the mapping, else by the reference. */
  readonly erpOrders: readonly StoredErpOrder[];
  /** Why the ERP's last row of its order cannot be read. */
  readonly erpMisfit: string | null;
  /** The order may be our own create for an ERP order, whose answer was lost. */
  readonly maybeOurOwn: Cause | null;
  readonly linked: boolean;
  /** Further ERP orders that carry its number, beside the linked one, and are not cancelled. */
  readonly beside: readonly Pick<StoredErpOrder, 'id' | 'status'>[];
  readonly desired: DesiredOrder | null;
  readonly customer: {
    readonly erpId: string | null;
    /** Why the order is not created: the ERP may have it already. */
    readonly waits: Cause | null;
  };
  /** The ERP did not take these money fields when they were sent last. */
  readonly moneyRefused: string | null;
  readonly rules: {
    readonly strategy: Strategy;
    readonly transitions: TransitionNames;
    readonly onUnmappedCustomer: 'hold' | 'create' | 'pass';
    readonly currency: string;
    /** Orders last modified before this are not exported. */
    readonly tooOld: boolean;
  };
}

export type OrderInAction = Planned &
  Braked &
  (
    | { readonly action: 'customer-in.create'; readonly marketplaceId: number; readonly name: string }
    | { readonly action: 'order-in.create'; readonly draft: ErpOrderDraft }
    | { readonly action: 'order-in.update'; readonly erpId: string; readonly change: ErpOrderChange }
    | { readonly action: 'order-in.link'; readonly erpId: string }
    | { readonly action: 'order-in.mark'; readonly erpId: string }
    | { readonly action: 'order-in.transition'; readonly name: string; readonly from: string; readonly to: string }
  );

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
  const decision = decideLinked(snapshot, order, erpOrder);
  return { ...decision, alerts: [...besideAlerts(snapshot, erpOrder), ...decision.alerts] };
}

/** An order that the ERP has twice takes its stock twice. */
function besideAlerts({ number, beside }: OrderInSnapshot, { id }: StoredErpOrder): Cause[] {
  if (beside.length === 0) return [];
  const others = beside.map((other) => `${other.id} (${other.status})`);
  return [cause('erp-orders-beside', { order: number, erpOrder: id, others })];
}

function decideExport(snapshot: OrderInSnapshot, { order }: StoredOrder): Decision<OrderInAction> {
  const { rules, desired, number } = snapshot;
  if (order.status === 'Backorder') return hold(cause('backorder', { order: number }));
  if (snapshot.linked) return hold(cause('erp-order-gone', { order: number }));
  if (!isExported(rules.strategy, order.status) || rules.tooOld) return inSync();
  if (order.externalId !== null) {
    return contested(cause('external-id-without-order', { order: number, externalId: order.externalId }));
  }
  if (desired === null || 'problem' in desired) return hold(unread(number, desired));
  const customer = customerStep(snapshot, order.customer);
  if (customer !== null) return customer;
  const status = erpStatusFor(rules.strategy, order.status);
  const { lines, discount, shipping, tax, total } = desired;
  const money = { discount, shipping, tax, total };
  const draft: ErpOrderDraft = {
    reference: number,
    status,
    customer: customerOf(snapshot, order.customer),
    currency: rules.currency,
    lines,
    ...money,
    note: sentencesOf(desired.alerts),
  };
  const after = `${status}: ${showLines(lines)}; total ${total.toFixed(2)} ${rules.currency}`;
  const why = `${order.status} on the marketplace`;
  return act(
    [{ action: 'order-in.create', target: `ERP order for ${number}`, before: null, after, why, draft }],
    desired.alerts,
  );
}

/** Why the content of the ERP's order is not known. */
function unread(number: string, desired: { readonly problem: Cause } | null): Cause {
  return desired?.problem ?? cause('order-unread', { order: number });
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
  // A dead order releases its stock before anything else is decided.
  if (dead && !['cancelled', 'shipped'].includes(erpOrder.status)) return cancelInErp(erpOrder, order.status, target);
  const tooLate =
    dead && erpOrder.status === 'shipped'
      ? cause('dead-but-shipped', { order: snapshot.number, status: order.status })
      : null;
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

/** An order that is linked and not dead on the marketplace. */
function decideAlive(
  snapshot: OrderInSnapshot,
  { order }: StoredOrder,
  erpOrder: StoredErpOrder,
): Decision<OrderInAction> {
  const target = `ERP order ${erpOrder.id} of ${snapshot.number}`;
  if (erpOrder.status === 'cancelled') return transitionStep(snapshot, order.status, erpOrder);
  if (!['draft', 'reserved', 'shipped'].includes(erpOrder.status)) {
    return hold(cause('erp-order-status-unknown', { erpOrder: erpOrder.id, status: erpOrder.status }));
  }
  if (rankOf(order.status) === null) {
    const { number } = snapshot;
    return hold(cause('statuses-apart', { order: number, status: order.status, erpStatus: erpOrder.status }));
  }
  const update = erpOrder.origin === 'erp' ? null : decideUpdate(snapshot, order.status, erpOrder, target);
  if (update !== null) return update;
  const alerts = erpOrder.origin === 'erp' ? editAlerts(snapshot, erpOrder) : alertsOf(snapshot, erpOrder);
  return { ...transitionStep(snapshot, order.status, erpOrder), alerts };
}

function cancelInErp(erpOrder: StoredErpOrder, status: string, target: string): Decision<OrderInAction> {
  const change = { before: erpOrder.status, after: 'cancelled', why: `${status} on the marketplace` };
  return act([{ action: 'order-in.update', target, ...change, erpId: erpOrder.id, change: { status: 'cancelled' } }]);
}

/** The write that carries edits into the ERP; null when the ERP has them. */
function decideUpdate(
  snapshot: OrderInSnapshot,
  status: string,
  erpOrder: StoredErpOrder,
  target: string,
): Decision<OrderInAction> | null {
  const { desired, rules, number } = snapshot;
  if (desired === null || 'problem' in desired) return hold(unread(number, desired));
  const edited = !sameLines(desired.lines, erpOrder.lines);
  const wantedStatus = erpStatusFor(rules.strategy, status);
  const reserve = erpOrder.status === 'draft' && wantedStatus === 'reserved';
  if (edited && erpOrder.status === 'shipped') {
    const lines = showLines(desired.lines);
    return hold(cause('shipped-and-edited', { order: number, erpOrder: erpOrder.id, lines }));
  }
  if (edited || reserve) {
    const change = { ...(edited ? { lines: desired.lines } : {}), ...(reserve ? { status: wantedStatus } : {}) };
    const before = [edited ? showLines(erpOrder.lines) : '', reserve ? 'draft' : ''].filter(Boolean).join('; ');
    const after = [edited ? showLines(desired.lines) : '', reserve ? wantedStatus : ''].filter(Boolean).join('; ');
    const why = edited ? 'the order was edited on the marketplace' : `${status} on the marketplace`;
    return act([{ action: 'order-in.update', target, before, after, why, erpId: erpOrder.id, change }], desired.alerts);
  }
  return decideMoney(snapshot, erpOrder, target);
}

/** Discount, shipping, tax and total: sent only when they still differ after the lines agree, and only once. */
function decideMoney(
  { desired, moneyRefused }: OrderInSnapshot,
  erpOrder: StoredErpOrder,
  target: string,
): Decision<OrderInAction> | null {
  if (desired === null || 'problem' in desired || erpOrder.status === 'shipped') return null;
  const { discount, shipping, tax, total } = desired;
  const money = { discount, shipping, tax, total };
  if (moneyText(money) === moneyText(erpOrder) || moneyRefused === moneyText(money)) return null;
  const change = { before: moneyText(erpOrder), after: moneyText(money), why: 'discount, shipping or tax changed' };
  return act([{ action: 'order-in.update', target, ...change, erpId: erpOrder.id, change: money }], desired.alerts);
}

function alertsOf({ desired, moneyRefused }: OrderInSnapshot, erpOrder: StoredErpOrder): Cause[] {
  if (desired === null || 'problem' in desired) return [];
  const ours = moneyText(desired);
  const theirs = moneyText(erpOrder);
  if (ours === theirs) return [...desired.alerts];
  const differing = { erpOrder: erpOrder.id, ours, theirs };
  if (moneyRefused !== ours) return [...desired.alerts, cause('erp-money-differs', differing)];
  // The alert stood while somebody could do something about it, and the journal keeps it.
  if (erpOrder.status === 'shipped') return [...desired.alerts];
  return [...desired.alerts, cause('erp-money-kept', differing)];
}

/** The ERP owns an order that was made there: a difference on the marketplace raises an alert, and is not carried over. */
function editAlerts({ number, desired }: OrderInSnapshot, erpOrder: StoredErpOrder): Cause[] {
  if (desired === null || 'problem' in desired) return [];
  const alerts: Cause[] = [];
  if (!sameQuantities(desired.lines, erpOrder.lines)) {
    const [there, erp] = [showLines(desired.lines), showLines(erpOrder.lines)];
    alerts.push(cause('edited-on-marketplace', { order: number, there, erp }));
  }
  const [erp, there] = [chargesText(erpOrder), chargesText(desired)];
  if (erp !== there) alerts.push(cause('charges-not-taken', { erpOrder: erpOrder.id, erp, there }));
  return alerts;
}

function chargesText({ shipping, tax }: Pick<StoredErpOrder, 'shipping' | 'tax'>): string {
  return `shipping ${shipping.toFixed()}, tax ${tax.toFixed()}`;
}

export function moneyText(money: Pick<StoredErpOrder, 'discount' | 'shipping' | 'tax' | 'total'>): string {
  const { discount, shipping, tax, total } = money;
  return `discount ${discount.toFixed()}, shipping ${shipping.toFixed()}, tax ${tax.toFixed()}, total ${total.toFixed()}`;
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
