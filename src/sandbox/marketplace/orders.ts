import { parseJson } from '../../http/json.ts';
import { Exact } from '../exact.ts';
import { applyHolding, forgetHeld, holdingAt, isLate, NOTHING_HELD } from './inventory/holdings.ts';
import type { Actor, Market } from './market.ts';
import { orderJson } from './order-json.ts';
import {
  findOrder,
  findOrderOfLine,
  forgetLine,
  holdingOf,
  insertOrder,
  type Line,
  linesOf,
  newLineId,
  type OrderRow,
  updateOrder,
} from './order-rows.ts';
import { findProduct, isActive, type ProductRow } from './product-rows.ts';
import { type Customer, findCustomer } from './records/customers.ts';
import { logOrderStatus } from './records/orders.ts';
import { takenFromStock } from './units.ts';
import { type Fields, invalid, moneyJson, numberJson, readDecimal, readMoney, refuse, without } from './wire-values.ts';

const READ_ONLY = ['number', 'short_id', 'created_on', 'modified', 'frozen_data', 'tax_amount', 'total'];
const OWN_COLUMNS = new Set([
  ...READ_ONLY,
  'status',
  'seller',
  'customer',
  'external_id',
  'discount_amount',
  'shipping_charge',
  'delivery_address',
  'line_items',
]);

/**
 * Spec 1, POST /orders-received/: customer and products must be active. Not idempotent.
 * @throws Refusal 400
 */
export function createOrder(market: Market, body: Fields, by: Actor): OrderRow {
  for (const name of READ_ONLY) if (body[name] !== undefined) throw invalid(name, 'This field is read only.');
  if (body['seller'] !== market.settings().sellerId) throw invalid('seller', 'Not a company of this key.');
  const customer = findCustomer(market, (body['customer'] as { id: number }).id);
  if (!customer || customer.archived) throw invalid('customer', 'Not an active customer.');
  const status = String(body['status']);
  const entries = (body['line_items'] ?? []) as Fields[];
  const products = entries.map((entry) => activeProduct(market, entry['product']));
  const at = market.stamp('orders');
  const currency = products[0]?.currency ?? 'USD';
  const order = insertOrder(market, {
    number: market.uuid(),
    status,
    customer: customer.id,
    ...termsOf(body, {
      external_id: null,
      discount_amount: '0',
      shipping_charge: customer.shippingCharge,
      delivery_address: addressOf(customer),
      fields: '{}',
    }),
    currency,
    created_on: at,
    modified: at,
    lines: '[]',
    frozen: `[${products.map(frozenProduct).join(',')}]`,
  });
  logOrderStatus(market, order.number, status);
  const lines = entries.map((entry) => newLine(market, order, entry));
  const saved = { ...order, lines: JSON.stringify(settle(market, status, lines, by)) };
  market.sql.run('UPDATE orders SET lines = ? WHERE id = ?', saved.lines, saved.id);
  market.emit({ type: 'order', action: 'create', id: order.id, by });
  return saved;
}

/** Spec 1, PATCH /orders-received/{number}/: an entry with an id changes that line, one without adds a line. */
export function patchOrder(market: Market, number: string, body: Fields, by: Actor): OrderRow {
  for (const name of [...READ_ONLY, 'seller', 'customer', 'status']) {
    if (body[name] !== undefined) throw invalid(name, 'This field cannot be changed here.');
  }
  const row = findOrder(market, number);
  const changed = { ...row, ...termsOf(body, row) };
  let lines = linesOf(row);
  for (const entry of (body['line_items'] ?? []) as Fields[]) lines = withEntry(market, row, lines, entry);
  return save(market, changed, lines, by);
}

export function deleteLine(market: Market, id: number, by: Actor): OrderRow {
  const row = findOrderOfLine(market, id);
  const lines = linesOf(row);
  const gone = lines.find((line) => line.id === id);
  if (gone) takeLineOut(market, gone, by);
  return save(
    market,
    row,
    lines.filter((line) => line.id !== id),
    by,
  );
}

/** Consumed units have left, so removing their line does not return them. */
function takeLineOut(market: Market, line: Line, by: Actor): void {
  if (line.held.counted === 'reserved') applyHolding(market, line, holdingOf(line), NOTHING_HELD, by);
  forgetHeld(market, line.id);
  forgetLine(market, line.id);
}

/** Spec 1, Permissions: DELETE on /orders-received/. The order's reserved units are freed. */
export function deleteOrder(market: Market, number: string, by: Actor): void {
  const row = findOrder(market, number);
  const was = orderJson(market, row, 'webhook');
  for (const line of linesOf(row)) takeLineOut(market, line, by);
  market.emit({ type: 'order', action: 'delete', id: row.id, by, was });
  market.sql.run('DELETE FROM orders WHERE id = ?', row.id);
}

/** @throws Refusal 404 for an unknown order or action, 400 from the wrong status */
export function transitionOrder(market: Market, number: string, action: string, by: Actor): OrderRow {
  const { transitions } = market.settings();
  const rule = Object.hasOwn(transitions, action) ? transitions[action] : undefined;
  if (!rule) throw refuse(404, `No transition is named ${action}.`);
  const row = findOrder(market, number);
  if (!rule.from.includes(row.status)) {
    throw refuse(400, `Cannot ${action} an order that is ${row.status}; it must be ${rule.from.join(' or ')}.`);
  }
  return forceStatus(market, number, rule.to, by);
}

/** Sets any status, with its inventory effects. */
export function forceStatus(market: Market, number: string, status: string, by: Actor): OrderRow {
  const row = findOrder(market, number);
  const saved = save(market, { ...row, status }, linesOf(row), by);
  logOrderStatus(market, number, status);
  return saved;
}

function save(market: Market, row: OrderRow, lines: readonly Line[], by: Actor): OrderRow {
  const settled = JSON.stringify(settle(market, row.status, lines, by));
  const saved = { ...row, lines: settled, modified: market.stamp('orders') };
  updateOrder(market, saved);
  market.emit({ type: 'order', action: 'edit', id: row.id, by });
  return saved;
}

/** Adjusts each line's units to the order's status. */
function settle(market: Market, status: string, lines: readonly Line[], by: Actor): Line[] {
  return lines.map((line) => {
    const before = holdingOf(line);
    const after = holdingAt(status, { late: line.late, held: before, units: unitsOf(market, line) });
    applyHolding(market, line, before, after, by);
    return { ...line, held: { counted: after.counted, quantity: after.quantity.toFixed() } };
  });
}

function unitsOf(market: Market, line: Line): Exact {
  const multiplier = () => findProduct(market, line.product).unit_multiplier;
  const taken = takenFromStock(market.settings(), line.quantity, multiplier);
  return Exact.max(taken.minus(line.unreserved ?? 0), 0);
}

function withEntry(market: Market, row: OrderRow, lines: Line[], entry: Fields): Line[] {
  const id = entry['id'];
  if (typeof id !== 'number') {
    activeProduct(market, entry['product']);
    return [...lines, newLine(market, row, entry)];
  }
  const known = lines.find((line) => line.id === id);
  if (!known) throw invalid('line_items', `The order has no line ${id}.`);
  if (entry['product'] !== undefined && entry['product'] !== known.product) {
    throw invalid('line_items', `The product of line ${id} cannot be changed.`);
  }
  return lines.map((line) => (line.id === id ? changedLine(line, entry) : line));
}

function changedLine(line: Line, entry: Fields): Line {
  const { quantity, ordered_unit_price: price, sale_price: sale } = entry;
  return {
    ...line,
    quantity: quantity === undefined ? line.quantity : lineQuantity(quantity),
    price: price === undefined ? line.price : readMoney('ordered_unit_price', price),
    salePrice: sale === undefined ? line.salePrice : readSale(sale),
  };
}

function newLine(market: Market, order: OrderRow, entry: Fields): Line {
  return {
    id: newLineId(market, order.id),
    product: entry['product'] as number,
    quantity: lineQuantity(entry['quantity']),
    price: readMoney('ordered_unit_price', entry['ordered_unit_price']),
    salePrice: readSale(entry['sale_price']),
    late: isLate(order.status),
    held: { counted: 'none', quantity: '0' },
  };
}

function lineQuantity(value: unknown): string {
  const quantity = readDecimal('quantity', value, { places: 4 });
  if (!quantity.greaterThan(0)) throw invalid('quantity', 'Ensure this value is greater than 0.');
  return quantity.toFixed();
}

function readSale(value: unknown) {
  return value === undefined || value === null ? null : readMoney('sale_price', value);
}

type Terms = Pick<OrderRow, 'external_id' | 'discount_amount' | 'shipping_charge' | 'delivery_address' | 'fields'>;

/** Sent fields replace earlier values. */
function termsOf(body: Fields, before: Terms): Terms {
  const discount = body['discount_amount'] ?? before.discount_amount;
  return {
    external_id: externalId(body['external_id'], before.external_id),
    discount_amount: readDecimal('discount_amount', discount, { places: 2, min: 0 }).toFixed(),
    shipping_charge: shippingCharge(body['shipping_charge']) ?? before.shipping_charge,
    delivery_address: deliveryAddress(body['delivery_address']) ?? before.delivery_address,
    fields: JSON.stringify({ ...(parseJson(before.fields) as Fields), ...without(body, OWN_COLUMNS) }),
  };
}

/** null clears the field. */
function externalId(value: unknown, before: string | null): string | null {
  if (value === undefined) return before;
  if (value === null) return null;
  if (typeof value !== 'string' || value.length > 255) throw invalid('external_id', 'Expected up to 255 characters.');
  return value;
}

/** Sent as Money or decimal; undefined: not sent. */
function shippingCharge(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const amount = (value as { amount?: unknown }).amount ?? value;
  return readDecimal('shipping_charge', amount, { places: 2, min: 0 }).toFixed();
}

function deliveryAddress(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') throw invalid('delivery_address', 'Expected an object.');
  return JSON.stringify(value);
}

function addressOf(customer: Customer): string {
  return JSON.stringify({ ...customer.deliveryAddress, state: customer.state });
}

function activeProduct(market: Market, id: unknown): ProductRow {
  if (typeof id !== 'number') throw invalid('line_items', 'Expected the id of a product.');
  const row = market.sql.get<ProductRow>('SELECT * FROM products WHERE id = ?', id);
  if (!row || !isActive(row)) throw invalid('line_items', `Product ${id} is not an active product.`);
  return row;
}

function frozenProduct(row: ProductRow): string {
  return JSON.stringify({
    product: row.id,
    sku: row.sku,
    name: row.name,
    wholesale_price: moneyJson({ amount: row.price, currency: row.currency }),
    unit_multiplier: numberJson(new Exact(row.unit_multiplier)),
  });
}
