import { Decimal, type Figure, figure, ZERO } from '../../domain/decimal.ts';
import type { ErpOrderLine } from '../../erp/connector.ts';
import type { StoredErpOrder } from '../../store/erp.ts';

/** The order with the lines that are, or will be, shipped: without the units that the ERP has given up. */
export function withoutCancelledUnits(order: StoredErpOrder): StoredErpOrder {
  const lines = order.lines.map((line) => ({ ...line, quantity: leftOf(order, line) }));
  return { ...order, lines: lines.filter(({ quantity }) => !quantity.isZero()) };
}

function leftOf({ status }: StoredErpOrder, { quantity, shipped, givenUp }: ErpOrderLine): Figure<'erp line'> {
  // A line below zero is no order: what it means is for a person to say.
  if (quantity.isNegative()) return quantity;
  if (status === 'shipped' && shipped !== undefined) return figure(Decimal.min(quantity, shipped));
  return figure(Decimal.max(ZERO, quantity.minus(givenUp ?? ZERO)));
}

/** `7 of 10 x SB-0001`: the lines of which less is shipped than was ordered; null when there is none. */
export function partialShipmentText(order: StoredErpOrder): string | null {
  const short = order.lines.filter((line) => leftOf(order, line).lessThan(line.quantity));
  if (short.length === 0) return null;
  return short.map((line) => `${leftOf(order, line).toFixed()} of ${line.quantity.toFixed()} x ${line.sku}`).join(', ');
}

/** All or some goods of the order have left, so the order can be neither cancelled nor edited any more. */
export function hasShipped({ status, lines }: Pick<StoredErpOrder, 'status' | 'lines'>): boolean {
  const isPartlyShipped = lines.some(({ shipped }) => shipped?.greaterThan(ZERO) ?? false);
  return status === 'shipped' || (status !== 'cancelled' && isPartlyShipped);
}
