import { Decimal, type Figure, figure, ZERO } from '../../domain/decimal.ts';
import type { ErpOrderLine } from '../../erp/connector.ts';
import type { StoredErpOrder } from '../../store/erp.ts';

/** Returns the order without units that the ERP has canceled. */
export function withoutCancelledUnits(order: StoredErpOrder): StoredErpOrder {
  const lines = order.lines.map((line) => ({ ...line, quantity: leftOf(order, line) }));
  return { ...order, lines: lines.filter(({ quantity }) => !quantity.isZero()) };
}

function leftOf({ status }: StoredErpOrder, { quantity, shipped, givenUp }: ErpOrderLine): Figure<'erp line'> {
  // A person has to interpret a negative line.
  if (quantity.isNegative()) return quantity;
  if (status === 'shipped' && shipped !== undefined) return figure(Decimal.min(quantity, shipped));
  return figure(Decimal.max(ZERO, quantity.minus(givenUp ?? ZERO)));
}

/** `7 of 10 x SB-0001`: lines shipped only in part. null: none. */
export function partialShipmentText(order: StoredErpOrder): string | null {
  const short = order.lines.filter((line) => leftOf(order, line).lessThan(line.quantity));
  if (short.length === 0) return null;
  return short.map((line) => `${leftOf(order, line).toFixed()} of ${line.quantity.toFixed()} x ${line.sku}`).join(', ');
}

/** Some goods have been shipped, so the order can be neither canceled nor edited. */
export function hasShipped({ status, lines }: Pick<StoredErpOrder, 'status' | 'lines'>): boolean {
  const isPartlyShipped = lines.some(({ shipped }) => shipped?.greaterThan(ZERO) ?? false);
  return status === 'shipped' || (status !== 'cancelled' && isPartlyShipped);
}
