import {
  agreedPrices,
  agreedQuantities,
  type BaseRecord,
  type Charges,
  type OrderBase,
  quantitiesOf,
  recordOf,
} from '../../../domain/order-base.ts';
import { isDead, rankOf } from '../../../domain/status.ts';
import { erpStatusFor } from '../../../domain/strategy.ts';
import type { StoredErpOrder } from '../../../store/erp.ts';
import { compare, pricesApart, type Wanted } from './compare.ts';
import type { OrderInSnapshot } from './snapshot.ts';

/** The state in which both sides agree once the ERP has the lines that the marketplace shows. */
export function agreedOnce(erpId: string | null, wanted: Wanted): OrderBase {
  const { lines, prices } = wanted;
  return { erpId, quantities: quantitiesOf(lines), prices, charges: null, statuses: null };
}

/** The state of an order that is to be put on record now; null: nothing new is known. */
export function recordNow(snapshot: OrderInSnapshot): BaseRecord | null {
  const { order, wanted, linked, erpMisfit } = snapshot;
  const [erpOrder] = snapshot.erpOrders;
  if (!linked || order === null || erpOrder === undefined || erpMisfit !== null) return null;
  if (wanted === null || 'problem' in wanted) return null;
  const record = recordOf(snapshot.base, erpOrder.id);
  const { sides, moved } = compare(record, wanted, erpOrder);
  const quantities = agreedQuantities(record, sides);
  if (quantities === null) return null;
  const isApart = moved.marketplace.length + moved.erp.length > 0;
  const agreed: OrderBase = {
    erpId: erpOrder.id,
    quantities,
    prices: pricesNow(record, wanted, erpOrder),
    charges: sameCharges(wanted, erpOrder) ? chargesOf(erpOrder) : (record?.agreed?.charges ?? null),
    statuses: statusesAgree(snapshot, order.order.status, erpOrder)
      ? { marketplace: order.order.status, erp: erpOrder.status }
      : (record?.agreed?.statuses ?? null),
  };
  return { agreed, sent: isApart ? (record?.sent ?? null) : null };
}

/** A price is agreed once the ERP has it. Until then, the earlier agreed price stays. */
function pricesNow(record: BaseRecord | null, wanted: Wanted, erpOrder: StoredErpOrder): OrderBase['prices'] {
  const apart = new Set(pricesApart(wanted, erpOrder));
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

function sameCharges(wanted: Wanted, { discount, shipping }: StoredErpOrder): boolean {
  return wanted.discount.equals(discount) && wanted.shipping.equals(shipping);
}

function statusesAgree({ rules }: OrderInSnapshot, status: string, { status: erp }: StoredErpOrder): boolean {
  if (isDead(status)) return erp === 'cancelled';
  const rank = rankOf(status);
  if (rank === null) return false;
  if (erp === 'shipped') return rank >= 3;
  return erp === 'reserved' || erp === erpStatusFor(rules.strategy, status);
}
