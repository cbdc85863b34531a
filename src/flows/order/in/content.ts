import { type Cause, cause } from '../../../domain/causes/cause.ts';
import { decimalOrNull, ZERO } from '../../../domain/decimal.ts';
import { beyondLimits, ERP_ORDER_LIMITS } from '../../../domain/limits.ts';
import { miscountedIn } from '../../../domain/miscounted.ts';
import { baseOf, showQuantities } from '../../../domain/order-base.ts';
import { rankOf } from '../../../domain/status.ts';
import { erpStatusFor } from '../../../domain/strategy.ts';
import type { ErpOrderChange } from '../../../erp/connector.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import type { StoredOrder } from '../../../store/marketplace.ts';
import { act, type Decision, hold } from '../../engine/decision.ts';
import { hasShipped } from '../partial-shipment.ts';
import { agreedBase } from './base.ts';
import { type Compared, compare, linesAtKeptPrices, roundedDecimals, type Wanted } from './compare.ts';
import { erpTotalAlerts } from './figures.ts';
import { editOnMarketplace, isEditable } from './marketplace-lines.ts';
import { chargesMeanwhile, decideCharges, decideMoney } from './money.ts';
import { decidePrices } from './prices.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';
import { showLines } from './wanted.ts';

/** The next step for the lines, prices and money of an order. `step` null: its status may proceed. */
export interface Content {
  readonly step: Decision<OrderInAction> | null;
  readonly told: readonly Cause[];
}

/** Decides by the side that changed the order's content. Implausible content is held. */
export function decideContent(snapshot: OrderInSnapshot, stored: StoredOrder, erpOrder: StoredErpOrder): Content {
  const content = decideByMoves(snapshot, stored, erpOrder);
  const [action] = content.step?.actions ?? [];
  if (action === undefined) return content;
  // Which of the ERP's orders says what was ordered is for a person to decide.
  if (snapshot.beside.length > 0 && action.action !== 'order-in.update') return { ...content, step: null };
  const unfit =
    action.action === 'order-in.update'
      ? (unfitThere(snapshot) ?? unfitAsSent(erpOrder, action.change))
      : beyondLimits(ERP_ORDER_LIMITS, erpOrder);
  return unfit === null ? content : { ...content, step: hold(unfit) };
}

function unfitThere({ wanted }: OrderInSnapshot): Cause | null {
  return wanted === null || 'problem' in wanted ? null : wanted.unfit;
}

/** The sent lines keep the prices that people entered in the ERP. */
function unfitAsSent(
  { id, currency }: StoredErpOrder,
  { lines, discount, shipping, total }: ErpOrderChange,
): Cause | null {
  if (lines === undefined) return null;
  const sent = { id, currency, lines, discount: discount ?? ZERO, shipping: shipping ?? ZERO, total: total ?? ZERO };
  return beyondLimits(ERP_ORDER_LIMITS, sent);
}

function decideByMoves(snapshot: OrderInSnapshot, stored: StoredOrder, erpOrder: StoredErpOrder): Content {
  const { wanted, number } = snapshot;
  const isOfErp = erpOrder.origin === 'erp';
  if (wanted === null || 'problem' in wanted) {
    return { step: isOfErp ? null : hold(unreadCause(number, wanted)), told: [] };
  }
  const compared = compare(baseOf(snapshot.base, erpOrder.id), wanted, erpOrder);
  const { marketplace, erp } = compared.moved;
  if (marketplace.length > 0 && erp.length > 0) {
    return { step: hold(cause('edited-on-both-sides', columns(snapshot, erpOrder, compared))), told: wanted.alerts };
  }
  const edit = marketplace.length > 0 ? editedThere : erp.length > 0 ? editedHere : null;
  const edited = edit?.({ snapshot, stored, erpOrder, wanted, compared });
  if (edited?.step != null) return edited;
  // An ERP's total may or may not include units it has canceled.
  const ofErp = isOfErp && snapshot.short === null ? erpTotalAlerts(erpOrder) : [];
  const told = [...wanted.alerts, ...ofErp, ...(edited?.told ?? [])];
  const { status } = stored.order;
  const meanwhile = () => chargesMeanwhile(snapshot, status, erpOrder, wanted);
  const reserve = isOfErp ? null : decideReserve(snapshot, status, erpOrder);
  if (reserve !== null) {
    return { step: reserve.step, told: [...told, ...reserve.told, ...(reserve.step === null ? meanwhile() : [])] };
  }
  if (edited !== undefined) return { step: null, told: [...told, ...meanwhile()] };
  const prices = decidePrices(snapshot, stored, erpOrder, wanted);
  if (prices.step !== null) return { step: prices.step, told: [...told, ...prices.told] };
  if (prices.isApart) return { step: null, told: [...told, ...prices.told, ...meanwhile()] };
  const money = isOfErp ? decideCharges(snapshot, status, erpOrder, wanted) : decideMoney(snapshot, erpOrder, wanted);
  return { step: money.step, told: [...told, ...prices.told, ...money.told] };
}

interface Edit {
  readonly snapshot: OrderInSnapshot;
  readonly stored: StoredOrder;
  readonly erpOrder: StoredErpOrder;
  readonly wanted: Wanted;
  readonly compared: Compared;
}

export function unreadCause(number: string, wanted: { readonly problem: Cause } | null): Cause {
  return wanted?.problem ?? cause('order-unread', { order: number });
}

/** Only the marketplace changed the order. The ERP follows, unless it has shipped or created the order. */
function editedThere({ snapshot, stored, erpOrder, wanted, compared }: Edit): Content {
  const { number } = snapshot;
  const { currency } = snapshot.rules;
  const [there, erp] = [showLines(wanted.lines, currency), showLines(erpOrder.lines, currency)];
  const miscounted = miscountedOf(snapshot, wanted, erpOrder);
  if (erpOrder.origin === 'erp') {
    return { step: null, told: [cause('edited-on-marketplace', { order: number, there, erp, miscounted })] };
  }
  if (hasShipped(erpOrder)) {
    return {
      step: hold(cause('shipped-and-edited', { order: number, erpOrder: erpOrder.id, lines: there, miscounted })),
      told: [],
    };
  }
  const lines = linesAtKeptPrices(wanted, erpOrder);
  const reserve = isToReserve(snapshot, stored.order.status, erpOrder);
  const change = { lines, ...(reserve ? { status: 'reserved' as const } : {}) };
  const before = [erp, ...(reserve ? ['draft'] : [])].join('; ');
  const after = [showLines(lines, currency), ...(reserve ? ['reserved'] : [])].join('; ');
  const why = compared.base === null ? 'the marketplace shows other lines' : 'the order was edited on the marketplace';
  const agreed = agreedBase(erpOrder.id, wanted);
  return {
    step: act([{ ...updateOf(snapshot, erpOrder), before, after, why, change, agreed }], wanted.alerts),
    told: [],
  };
}

/** Only the ERP changed the order. The ERP may change orders that it created. */
function editedHere(edit: Edit): Content {
  const { snapshot, stored, erpOrder, wanted, compared } = edit;
  const { status } = stored.order;
  const shown = columns(snapshot, erpOrder, compared);
  const { short } = snapshot;
  const told =
    short === null
      ? cause('edited-in-erp', {
          ...shown,
          miscounted: miscountedOf(snapshot, wanted, erpOrder),
          rounded: roundedDecimals(wanted, erpOrder, ({ quantity }) => quantity),
        })
      : cause('shipped-short', { ...shown, short });
  const { erpEdits } = snapshot.rules;
  // The order is complete on both sides. Earlier alerts stay in the journal.
  if (rankOf(status) === 5 && erpOrder.status === 'shipped') return { step: null, told: [] };
  if (erpOrder.origin === 'erp' || erpEdits === 'write') {
    if (!isEditable(status)) return { step: null, told: [told] };
    return { step: editOnMarketplace(edit), told: [] };
  }
  return erpEdits === 'hold' ? { step: hold(told), told: [] } : { step: null, told: [told] };
}

function miscountedOf({ rules }: OrderInSnapshot, { lines, prices }: Wanted, erpOrder: StoredErpOrder) {
  const multipliers = prices.map(({ unitMultiplier }) => decimalOrNull(unitMultiplier));
  return miscountedIn(lines, multipliers, erpOrder.lines, rules.units.erp.linesIn);
}

function columns({ number }: OrderInSnapshot, erpOrder: StoredErpOrder, { base, sides }: Compared) {
  return {
    order: number,
    erpOrder: erpOrder.id,
    base: showQuantities(base ?? []),
    there: showQuantities(sides.marketplace),
    erp: showQuantities(sides.erp),
  };
}

function isToReserve({ rules }: OrderInSnapshot, status: string, erpOrder: StoredErpOrder): boolean {
  return erpOrder.status === 'draft' && erpStatusFor(rules.strategy, status) === 'reserved';
}

/**
 * Reserves the ERP's draft when the order's status requires it. If a person made it a draft again, it stays one, with
 * an alert.
 */
function decideReserve(snapshot: OrderInSnapshot, status: string, erpOrder: StoredErpOrder): Content | null {
  if (!isToReserve(snapshot, status, erpOrder)) return null;
  if (baseOf(snapshot.base, erpOrder.id)?.agreed?.statuses?.erp === 'reserved') {
    return { step: null, told: [cause('released-in-erp', { order: snapshot.number, erpOrder: erpOrder.id, status })] };
  }
  const words = { before: 'draft', after: 'reserved', why: `${status} on the marketplace` };
  return {
    step: act([{ ...updateOf(snapshot, erpOrder), ...words, change: { status: 'reserved' } }]),
    told: [],
  };
}

export function updateOf({ number }: OrderInSnapshot, { id }: StoredErpOrder) {
  return { action: 'order-in.update', target: `ERP order ${id} of ${number}`, erpId: id } as const;
}
