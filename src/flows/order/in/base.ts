import {
  agreedPrices,
  agreedQuantities,
  agreedStatuses,
  type BaseRecord,
  baseOf,
  type Charges,
  type OrderBase,
  quantitiesOf,
} from '../../../domain/order-base.ts';
import { isDead } from '../../../domain/status.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { compare, differingPrices, type Wanted } from './compare.ts';
import type { OrderInSnapshot } from './snapshot.ts';
import { statusesAgree } from './statuses.ts';

/** The agreed state once the ERP has the marketplace's lines. */
export function agreedBase(erpId: string | null, wanted: Wanted): OrderBase {
  const { lines, prices } = wanted;
  return { erpId, quantities: quantitiesOf(lines), prices, charges: null, statuses: null };
}

/** Returns the base to store now. null: nothing new. */
export function baseToStore(snapshot: OrderInSnapshot): BaseRecord | null {
  const { order, linked, invalidErpRow } = snapshot;
  const [erpOrder] = snapshot.erpOrders;
  if (!linked || order === null || erpOrder === undefined || invalidErpRow !== null) return null;
  const record = baseOf(snapshot.base, erpOrder.id);
  const content = contentNow(snapshot, record, erpOrder);
  if (content === null) return null;
  const now = { marketplace: order.order.status, erp: erpOrder.status };
  const isAgreed = statusesAgree(snapshot, order.order, erpOrder);
  const statuses = isAgreed ? now : agreedStatuses(record, now);
  // A sent status that its side does not show may still be applied, until a read after the settle time.
  const statusSent = isAgreed && snapshot.unsettledMs === null ? undefined : record?.statusSent;
  const { sent, ...agreed } = content;
  const origin = record?.agreed?.origin ?? erpOrder.origin;
  return { agreed: { ...agreed, statuses, origin }, sent, statusSent, former: record?.former };
}

type Content = Omit<OrderBase, 'statuses'> & Pick<BaseRecord, 'sent'>;

/** The agreed content to store. Unchanged if the order has ended or its lines are unknown. */
function contentNow(
  { order, wanted }: OrderInSnapshot,
  record: BaseRecord | null,
  erpOrder: StoredErpOrder,
): Content | null {
  if (wanted === null || 'problem' in wanted) {
    if (record === null && !isDead(order?.order.status ?? '')) return null;
    const { quantities, prices, charges } = record?.agreed ??
      record?.sent?.base ?? { quantities: quantitiesOf(erpOrder.lines), prices: [], charges: null };
    return { erpId: erpOrder.id, quantities, prices, charges, sent: record?.sent ?? null };
  }
  const { sides, moved } = compare(record, wanted, erpOrder);
  const quantities = agreedQuantities(record, sides);
  if (quantities === null) return null;
  const isApart = moved.marketplace.length + moved.erp.length > 0;
  return {
    erpId: erpOrder.id,
    quantities,
    prices: pricesNow(record, wanted, erpOrder),
    charges: chargesNow(record?.agreed?.charges ?? null, wanted, erpOrder),
    sent: isApart ? (record?.sent ?? null) : null,
  };
}

/** A price is agreed once the ERP has it. Until then, the previous one stays. */
function pricesNow(record: BaseRecord | null, wanted: Wanted, erpOrder: StoredErpOrder): OrderBase['prices'] {
  const apart = new Set(differingPrices(wanted, erpOrder));
  const entered = new Set(erpOrder.lines.map(({ sku }) => sku));
  const known = agreedPrices(record);
  return wanted.prices.flatMap((price, at) => {
    const sku = wanted.lines[at]?.sku ?? '';
    const before = known.get(price.line);
    if (!apart.has(sku) && entered.has(sku)) return [price];
    return before === undefined ? [] : [before];
  });
}

export function chargesOf({ discount, shipping }: Pick<StoredErpOrder, 'discount' | 'shipping'>): Charges {
  return { discount: discount.toFixed(), shipping: shipping.toFixed() };
}

/**
 * Tax and total are agreed once both sides show the same. They may differ while the charges agree, because an ERP may
 * round them.
 */
function chargesNow(agreed: Charges | null, wanted: Wanted, erpOrder: StoredErpOrder): Charges | null {
  const { discount, shipping, tax, total } = erpOrder;
  if (!wanted.discount.equals(discount) || !wanted.shipping.equals(shipping)) return agreed;
  if (wanted.tax.equals(tax) && wanted.total.equals(total)) {
    return { ...chargesOf(erpOrder), tax: tax.toFixed(), total: total.toFixed() };
  }
  return { ...chargesOf(erpOrder), tax: agreed?.tax, total: agreed?.total };
}
