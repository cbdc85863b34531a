import { Exact } from '../exact.ts';
import type { Counted, Holding } from './inventory/holdings.ts';
import type { Market } from './market.ts';
import { type Money, refuse } from './wire-values.ts';

export interface OrderRow {
  readonly id: number;
  readonly number: string;
  readonly status: string;
  readonly customer: number;
  readonly external_id: string | null;
  readonly discount_amount: string;
  readonly shipping_charge: string;
  readonly currency: string;
  readonly created_on: number;
  readonly modified: number;
  /** JSON object with `state`, which decides the excise tax. */
  readonly delivery_address: string;
  /** JSON array of `Line`. */
  readonly lines: string;
  /** JSON array: product data at order creation, in wire format. */
  readonly frozen: string;
  /** JSON object: all other fields as sent. */
  readonly fields: string;
}

export interface Line {
  readonly id: number;
  readonly product: number;
  /** Decimal text, in units or cases by setting. */
  readonly quantity: string;
  readonly price: Money;
  readonly salePrice: Money | null;
  /** Added after Accepted: never counted in stock. */
  readonly late: boolean;
  /** Units that an inventory command released, and that are not reserved again. */
  readonly unreserved?: string;
  readonly held: { readonly counted: Counted; readonly quantity: string };
}

/** @throws Refusal 404 */
export function findOrder(market: Market, number: string): OrderRow {
  return found(market, 'number = ?', number);
}

/** @throws Refusal 404 */
export function findOrderById(market: Market, id: number): OrderRow {
  return found(market, 'id = ?', id);
}

/** Spec 2 does not say whether an order is named by number or id. @throws Refusal 404 */
export function findOrderByEither(market: Market, key: string | number): OrderRow {
  return Number.isInteger(Number(key)) ? findOrderById(market, Number(key)) : findOrder(market, String(key));
}

/** @throws Refusal 404 */
export function findOrderOfLine(market: Market, line: number): OrderRow {
  return found(market, 'id = (SELECT "order" FROM line_orders WHERE line = ?)', line);
}

function found(market: Market, condition: string, value: string | number): OrderRow {
  const row = market.sql.get<OrderRow>(`SELECT * FROM orders WHERE ${condition}`, value);
  if (!row) throw refuse(404, 'Not found.');
  return row;
}

export function insertOrder(market: Market, row: Omit<OrderRow, 'id'>): OrderRow {
  const saved = { ...row, id: market.sql.insert('orders', row) };
  market.late.beforeWrite('orders', saved.id, true);
  return saved;
}

export function updateOrder(market: Market, row: OrderRow): void {
  market.late.beforeWrite('orders', row.id, false);
  market.sql.update('orders', 'id', row);
}

export function newLineId(market: Market, order: number): number {
  return market.sql.insert('line_orders', { '"order"': order });
}

export function forgetLine(market: Market, line: number): void {
  market.sql.run('DELETE FROM line_orders WHERE line = ?', line);
}

export function linesOf(row: OrderRow): Line[] {
  return JSON.parse(row.lines) as Line[];
}

export function holdingOf(line: Line): Holding {
  return { counted: line.held.counted, quantity: new Exact(line.held.quantity) };
}
