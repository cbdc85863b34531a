import { isDead, isKnownStatus, rankOf } from '../../../domain/status.ts';
import { erpStatusFor, isExported, type Strategy } from '../../../domain/strategy.ts';
import type { ErpOrderChange, ErpOrderDraft } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { act, contested, type Decision, hold, inSync, type Planned } from '../../engine/decision.ts';
import type { Braked } from '../../engine/policy.ts';
import { type DesiredOrder, sameLines, sameQuantities, showLines } from './desired.ts';
import { afterCancelling, afterShipping, type NextTransition, type TransitionNames } from './transition.ts';

/** Both sides of one order. */
export interface OrderInSnapshot {
  readonly number: string;
  readonly order: StoredOrder | null;
  readonly misfit: string | null;
  /** The ERP's orders for it: by the mapping, else by the reference. */
  readonly erpOrders: readonly StoredErpOrder[];
  /** Why the ERP's last row of its order cannot be read. */
  readonly erpMisfit: string | null;
  /** It may be our own create of an ERP order whose answer was lost. */
  readonly maybeOurOwn: string | null;
  readonly linked: boolean;
  /** ERP orders that carry its number beside the one it is linked to, and are not cancelled. */
  readonly beside: readonly Pick<StoredErpOrder, 'id' | 'status'>[];
  readonly desired: DesiredOrder | null;
  readonly customer: {
    readonly erpId: string | null;
    /** Why it is not to be created: the ERP may have it. */
    readonly waits: string | null;
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
  const { order, erpOrders } = snapshot;
  if (snapshot.misfit !== null) return hold(`it does not fit the documented shape: ${snapshot.misfit}`);
  if (order === null) return inSync();
  const { status } = order.order;
  if (!isKnownStatus(status)) return hold(`its status "${status}" is not known: it holds no stock and is not exported`);
  if (snapshot.maybeOurOwn !== null) return hold(snapshot.maybeOurOwn);
  if (snapshot.erpMisfit !== null) return hold(`its ERP order does not fit: ${snapshot.erpMisfit}`);
  const live = erpOrders.filter((erpOrder) => erpOrder.status !== 'cancelled');
  if (live.length > 1) {
    return contested(
      `${live.length} ERP orders carry its number (${live.map(({ id }) => id).join(', ')}): cancel the wrong ones`,
    );
  }
  const erpOrder = live[0] ?? erpOrders[0];
  if (erpOrder === undefined) return decideExport(snapshot, order);
  const decision = decideLinked(snapshot, order, erpOrder);
  return { ...decision, alerts: [...besideAlerts(snapshot, erpOrder), ...decision.alerts] };
}

/** What the ERP has twice leaves its stock twice. */
function besideAlerts({ beside }: OrderInSnapshot, { id }: StoredErpOrder): string[] {
  if (beside.length === 0) return [];
  const others = beside.map((other) => `${other.id} (${other.status})`).join(', ');
  return [
    `beside ERP order ${id}, to which it is linked, its number is carried by ${others}: cancel the wrong ones there`,
  ];
}

function decideExport(snapshot: OrderInSnapshot, { order }: StoredOrder): Decision<OrderInAction> {
  const { rules, desired, number } = snapshot;
  if (order.status === 'Backorder') return hold('it waits on backorder: it holds no stock and is not exported');
  if (snapshot.linked) return hold('it is linked to an ERP order that the ERP does not show');
  if (!isExported(rules.strategy, order.status) || rules.tooOld) return inSync();
  if (order.externalId !== null) {
    return contested(
      `it carries external_id ${order.externalId} and the ERP has no order for it: clear the one or restore the other`,
    );
  }
  if (desired === null || 'problem' in desired) return hold(desired?.problem ?? 'it has not been read completely yet');
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
    note: desired.alerts.join('; '),
  };
  const after = `${status}: ${showLines(lines)}; total ${total.toFixed(2)} ${rules.currency}`;
  const why = `${order.status} on the marketplace`;
  return act(
    [{ action: 'order-in.create', target: `ERP order for ${number}`, before: null, after, why, draft }],
    desired.alerts,
  );
}

type Customer = StoredOrder['order']['customer'];

/** What has to happen for the customer before the order can be exported; null when nothing has to. */
function customerStep(snapshot: OrderInSnapshot, { id, name }: Customer): Decision<OrderInAction> | null {
  const { onUnmappedCustomer } = snapshot.rules;
  if (snapshot.customer.erpId !== null || onUnmappedCustomer === 'pass') return null;
  const who = `customer ${id ?? 'without an id'}`;
  if (onUnmappedCustomer === 'hold' || id === null) {
    return hold(
      `${who} is not linked to an ERP customer: link it with "stockbridge map link customer ${id ?? 'ID'} ERP_ID"`,
    );
  }
  if (snapshot.customer.waits !== null) return hold(`${who}: ${snapshot.customer.waits}`);
  const named = name ?? `marketplace customer ${id}`;
  const change = {
    before: null,
    after: `ERP customer with marketplace id ${id}`,
    why: `order ${snapshot.number} needs it`,
  };
  return act([{ action: 'customer-in.create', target: who, ...change, marketplaceId: id, name: named }]);
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
    return contested(
      `it carries external_id ${order.externalId} and is linked to ERP order ${erpOrder.id}: one of them is wrong`,
    );
  }
  const dead = isDead(order.status);
  // What is dead gives its stock back before anything else is said of it.
  if (dead && !['cancelled', 'shipped'].includes(erpOrder.status)) return cancelInErp(erpOrder, order.status, target);
  const tooLate =
    dead && erpOrder.status === 'shipped'
      ? `it is ${order.status} on the marketplace and shipped in the ERP: settle it by hand`
      : null;
  const rest =
    tooLate !== null
      ? hold<OrderInAction>(tooLate)
      : dead
        ? inSync<OrderInAction>()
        : decideAlive(snapshot, stored, erpOrder);
  // The ERP never waits for what is only told to the marketplace.
  if (order.externalId !== null || rest.actions.some(({ action }) => action === 'order-in.update')) return rest;
  const change = { before: null, after: erpOrder.id, why: 'the ERP has it', follows: true } as const;
  return act(
    [{ action: 'order-in.mark', target: `external_id of order ${snapshot.number}`, ...change, erpId: erpOrder.id }],
    tooLate === null ? [] : [tooLate],
  );
}

/** An order that is linked and lives on the marketplace. */
function decideAlive(
  snapshot: OrderInSnapshot,
  { order }: StoredOrder,
  erpOrder: StoredErpOrder,
): Decision<OrderInAction> {
  const target = `ERP order ${erpOrder.id} of ${snapshot.number}`;
  if (erpOrder.status === 'cancelled')
    return transitionStep(snapshot, order.status, afterCancelling(order.status, snapshot.rules.transitions));
  if (!['draft', 'reserved', 'shipped'].includes(erpOrder.status)) {
    return hold(`${target} has the status "${erpOrder.status}", which is not in the contract`);
  }
  if (rankOf(order.status) === null)
    return hold(`it is ${order.status} on the marketplace and ${erpOrder.status} in the ERP`);
  const update = erpOrder.origin === 'erp' ? null : decideUpdate(snapshot, order.status, erpOrder, target);
  if (update !== null) return update;
  const alerts = erpOrder.origin === 'erp' ? editAlerts(snapshot, erpOrder) : alertsOf(snapshot, erpOrder);
  if (erpOrder.status !== 'shipped') return inSync(alerts);
  const step = transitionStep(snapshot, order.status, afterShipping(order.status, snapshot.rules.transitions));
  return { ...step, alerts };
}

function cancelInErp(erpOrder: StoredErpOrder, status: string, target: string): Decision<OrderInAction> {
  const change = { before: erpOrder.status, after: 'cancelled', why: `${status} on the marketplace` };
  return act([{ action: 'order-in.update', target, ...change, erpId: erpOrder.id, change: { status: 'cancelled' } }]);
}

/** Edits carried over; null when the ERP has them. */
function decideUpdate(
  snapshot: OrderInSnapshot,
  status: string,
  erpOrder: StoredErpOrder,
  target: string,
): Decision<OrderInAction> | null {
  const { desired, rules } = snapshot;
  if (desired === null || 'problem' in desired) return hold(desired?.problem ?? 'it has not been read completely yet');
  const edited = !sameLines(desired.lines, erpOrder.lines);
  const wantedStatus = erpStatusFor(rules.strategy, status);
  const reserve = erpOrder.status === 'draft' && wantedStatus === 'reserved';
  if (edited && erpOrder.status === 'shipped') {
    return hold(`${target} is shipped and its lines differ: the marketplace has ${showLines(desired.lines)}`);
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

function alertsOf({ desired, moneyRefused }: OrderInSnapshot, erpOrder: StoredErpOrder): string[] {
  if (desired === null || 'problem' in desired) return [];
  const ours = moneyText(desired);
  const theirs = moneyText(erpOrder);
  if (ours === theirs) return [...desired.alerts];
  if (moneyRefused !== ours) return [...desired.alerts, `ERP order ${erpOrder.id} shows ${theirs}, not ${ours}`];
  // It was told while somebody could do something about it, and stays in the journal.
  if (erpOrder.status === 'shipped') return [...desired.alerts];
  return [
    ...desired.alerts,
    `ERP order ${erpOrder.id} keeps ${theirs}, and should show ${ours}: correct it there before it is shipped`,
  ];
}

/** The ERP owns an order that was made there: what is otherwise on the marketplace is told, not carried over. */
function editAlerts({ desired }: OrderInSnapshot, erpOrder: StoredErpOrder): string[] {
  if (desired === null || 'problem' in desired) return [];
  const alerts: string[] = [];
  if (!sameQuantities(desired.lines, erpOrder.lines)) {
    alerts.push(
      `it was made in the ERP and edited on the marketplace: there it has ${showLines(desired.lines)}, in the ERP ${showLines(erpOrder.lines)}`,
    );
  }
  const [ours, theirs] = [chargesText(erpOrder), chargesText(desired)];
  if (ours !== theirs) {
    alerts.push(
      `ERP order ${erpOrder.id} has ${ours} and the marketplace shows ${theirs}: a create takes neither of them`,
    );
  }
  return alerts;
}

function chargesText({ shipping, tax }: Pick<StoredErpOrder, 'shipping' | 'tax'>): string {
  return `shipping ${shipping.toFixed()}, tax ${tax.toFixed()}`;
}

export function moneyText(money: Pick<StoredErpOrder, 'discount' | 'shipping' | 'tax' | 'total'>): string {
  const { discount, shipping, tax, total } = money;
  return `discount ${discount.toFixed()}, shipping ${shipping.toFixed()}, tax ${tax.toFixed()}, total ${total.toFixed()}`;
}

function transitionStep({ number }: OrderInSnapshot, status: string, next: NextTransition): Decision<OrderInAction> {
  if (next.kind === 'done') return inSync();
  if (next.kind === 'refused') return hold(next.reason);
  const { name, from, to } = next;
  const why = to === 'Rejected' ? 'cancelled in the ERP' : 'shipped in the ERP';
  const change = { before: status, after: to, why, follows: true } as const;
  const brake = to === 'Rejected' ? { brake: 'reject' as const } : {};
  return act([{ action: 'order-in.transition', target: `order ${number}`, ...change, ...brake, name, from, to }]);
}
