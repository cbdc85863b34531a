import { ZERO } from '../../domain/decimal.ts';
import type { MarketplaceOrder, OrderLine } from '../../domain/order.ts';
import type { Answer } from '../request.ts';
import { checked, field, readAmount, readDecimal, readFigure, readMoney, readText } from './amounts.ts';
import { isPercentage } from './order-amounts.ts';

export type OrderRow = Answer<'orders.list'>;

/**
 * Spec 1, Order and Line item. Fields outside the spec (shipping, tax, total, addresses) are read where the deployment
 * has them; otherwise they are null: unknown.
 */
export function readOrder(row: OrderRow): MarketplaceOrder {
  return {
    number: row.number,
    status: row.status,
    modified: row.modified,
    externalId: readText(row.external_id),
    customer: { id: row.customer?.id ?? null, name: customerName(row) },
    ...readDiscount(row),
    shippingAmount: readAmount(field(row, 'shipping_charge')),
    taxAmount: readAmount(field(row, 'tax_amount')),
    total: readAmount(field(row, 'total')),
    deliveryState: deliveryState(row),
    lines: row.line_items?.map(readLine) ?? null,
  };
}

export function readDiscount(row: unknown): Pick<MarketplaceOrder, 'discountAmount' | 'discountPercent'> {
  const shown = readAmount(field(row, 'discount_amount')) ?? ZERO;
  return isPercentage(row) === true ? { discountAmount: ZERO, discountPercent: shown } : { discountAmount: shown };
}

function readLine(line: NonNullable<OrderRow['line_items']>[number]): OrderLine {
  return {
    id: line.id,
    productId: line.product,
    quantity: checked(readFigure<'marketplace line'>(line.quantity)),
    orderedUnitPrice: checked(readMoney(line.ordered_unit_price)),
    salesPrice: readMoney(line.sales_price),
    unitMultiplier: readDecimal(line.unit_multiplier),
  };
}

/** The spec has no field for the name of an order's customer. */
function customerName(row: OrderRow): string | null {
  const names = ['name', 'display_name', 'dba'].map((name) => field(row.customer, name));
  return [field(row, 'customer_name'), ...names].map(readText).find((name) => name !== null) ?? null;
}

/** The state of delivery. The order's address precedes the customer's, and delivery precedes corporate. */
function deliveryState(row: OrderRow): string | null {
  return customerState(row) ?? customerState(row.customer);
}

/** The state of a customer, or of an order apart from its customer. */
export function customerState(row: unknown): string | null {
  for (const address of [field(row, 'delivery_address'), field(row, 'corporate_address')]) {
    const state = stateOf(field(address, 'state'));
    if (state !== null) return state;
  }
  return null;
}

/** "CA", or an object with an abbreviation or a name. */
function stateOf(state: unknown): string | null {
  return readText(state) ?? readText(field(state, 'abbr')) ?? readText(field(state, 'name'));
}
