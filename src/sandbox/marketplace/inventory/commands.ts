import { Exact } from '../../exact.ts';
import type { Market } from '../market.ts';
import { findOrderById, holdingOf, type Line, linesOf } from '../order-rows.ts';
import { isManaged, type ProductRow } from '../product-rows.ts';
import { Refusal } from '../refusal.ts';
import type { Fields } from '../wire-values.ts';
import { heldOf, saveHeld } from './held-rows.ts';
import { fulfill, type Placed, release, totalFulfilled, totalHeld, unfulfill } from './holdings.ts';
import { availableAt, changeAt, type Figure, itemAt, type Place, type Stock } from './stock.ts';
import { saveStock, stockOf } from './stock-rows.ts';

/** The reason why an accepted command failed. A failed command has changed nothing. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

type Command = (market: Market, body: Fields) => void;

const unfulfilled = (placed: Placed) => totalHeld(placed).minus(totalFulfilled(placed));

/** Spec 2, Inventory commands, by name. A command that throws CommandFailed has changed nothing. */
export const COMMANDS = {
  putaway: itemCommand('nothing', (quantity) => ({ onHand: quantity })),
  destroy: itemCommand('available', (quantity) => ({ onHand: quantity.negated() })),
  hold: itemCommand('available', (quantity) => ({ held: quantity })),
  unhold: itemCommand('held', (quantity) => ({ held: quantity.negated() })),
  archive: itemCommand('available', (quantity) => ({ onHand: quantity.negated(), archived: quantity })),
  unarchive: itemCommand('archived', (quantity) => ({ onHand: quantity, archived: quantity.negated() })),
  reconcile,
  transfer,
  fulfill: lineCommand(unfulfilled, 'reserved', fulfill),
  unfulfill: lineCommand(totalFulfilled, 'fulfilled', unfulfill),
  unreserve: (market, body) => {
    lineCommand(unfulfilled, 'reserved', release)(market, body);
    letGo(market, body);
  },
} as const satisfies Record<string, Command>;
export type CommandType = keyof typeof COMMANDS;

/** A command about one place: the kind of units that it takes from, and its effect. */
function itemCommand(
  takes: 'available' | 'held' | 'archived' | 'nothing',
  change: (quantity: Exact) => Readonly<Partial<Record<Figure, Exact>>>,
): Command {
  return (market, body) => {
    const row = product(market, body['product_id']);
    const place = placeIn(market, body);
    const stock = stockOf(market, row);
    const quantity = positive(body['quantity']);
    if (takes !== 'nothing') demand(stock, place, takes, quantity);
    saveStock(market, row, changeAt(stock, place, change(quantity)), 'command', 'api');
  };
}

/** Sets the units on hand to the counted units, even where orders reserve more than that. */
function reconcile(market: Market, body: Fields): void {
  const row = product(market, body['product_id']);
  const place = placeIn(market, body);
  const stock = stockOf(market, row);
  const wanted = decimal(body['to_quantity']);
  if (wanted.isNegative())
    throw new CommandFailed(`to_quantity is ${wanted.toFixed()}: what is on hand is not below 0`);
  const change = wanted.minus(itemAt(stock, place).onHand);
  saveStock(market, row, changeAt(stock, place, { onHand: change }), 'command', 'api');
}

function transfer(market: Market, body: Fields): void {
  const [from, to] = [product(market, body['from_product_id']), product(market, body['to_product_id'])];
  const [source, target] = [placeIn(market, body, 'from_'), placeIn(market, body, 'to_')];
  const quantity = positive(body['quantity']);
  const stock = stockOf(market, from);
  demand(stock, source, 'available', quantity);
  saveStock(market, from, changeAt(stock, source, { onHand: quantity.negated() }), 'command', 'api');
  // The target is read after the first write: it may be the same product.
  const row = product(market, to.id);
  saveStock(market, row, changeAt(stockOf(market, row), target, { onHand: quantity }), 'command', 'api');
}

/** A command about the units that an order's line holds: the most units, their kind, and the effect. */
function lineCommand(
  limit: (placed: Placed) => Exact,
  has: 'reserved' | 'fulfilled',
  move: (placed: Placed, quantity: Exact) => Placed,
): Command {
  return (market, body) => {
    const line = lineIn(market, body);
    const row = product(market, body['product_id']);
    const quantity = positive(body['quantity']);
    const placed = { stock: stockOf(market, row), held: heldOf(market, line.id, holdingOf(line)) };
    const most = limit(placed);
    if (quantity.greaterThan(most)) {
      throw new CommandFailed(`${most.toFixed()} ${has} by line ${line.id}, ${quantity.toFixed()} asked for`);
    }
    const moved = move(placed, quantity);
    saveHeld(market, line.id, moved.held);
    saveStock(market, row, moved.stock, 'command', 'api');
  };
}

/** Lowers what the line reserves, for good: later writes of its order do not reserve these units again. */
function letGo(market: Market, body: Fields): void {
  const order = findOrderById(market, body['order_id'] as number);
  const quantity = positive(body['quantity']);
  const lines = linesOf(order).map((line) => {
    if (line.id !== body['order_product_id']) return line;
    const held = { ...line.held, quantity: new Exact(line.held.quantity).minus(quantity).toFixed() };
    return { ...line, held, unreserved: quantity.plus(line.unreserved ?? 0).toFixed() };
  });
  market.sql.run('UPDATE orders SET lines = ? WHERE id = ?', JSON.stringify(lines), order.id);
}

function product(market: Market, id: unknown): ProductRow {
  const row = market.sql.get<ProductRow>('SELECT * FROM products WHERE id = ?', id);
  if (!row) throw new CommandFailed(`there is no product ${String(id)}`);
  if (!isManaged(row)) throw new CommandFailed(`product ${row.id} keeps no inventory`);
  return row;
}

function placeIn(market: Market, body: Fields, prefix: '' | 'from_' | 'to_' = ''): Place {
  const facility = body[`${prefix}facility_id`] as number;
  const { facilities } = market.settings();
  if (facilities !== null && !facilities.some(({ id }) => id === facility)) {
    throw new CommandFailed(`there is no facility ${facility}`);
  }
  return { facility, batch: body[`${prefix}batch_id`] as number };
}

function lineIn(market: Market, body: Fields): Line {
  const [orderId, lineId, productId] = [body['order_id'], body['order_product_id'], body['product_id']];
  const lines = linesOfOrder(market, orderId as number);
  const line = lines.find(({ id }) => id === lineId);
  if (!line) throw new CommandFailed(`order ${String(orderId)} has no line ${String(lineId)}`);
  if (line.product !== productId) throw new CommandFailed(`line ${line.id} is of product ${line.product}`);
  return line;
}

function linesOfOrder(market: Market, id: number): Line[] {
  try {
    return linesOf(findOrderById(market, id));
  } catch (error) {
    if (error instanceof Refusal) throw new CommandFailed(`there is no order ${id}`);
    throw error;
  }
}

function demand(stock: Stock, place: Place, what: 'available' | 'held' | 'archived', quantity: Exact): void {
  const item = itemAt(stock, place);
  const there = what === 'available' ? availableAt(item) : item[what];
  if (quantity.lessThanOrEqualTo(there)) return;
  const where = `at facility ${place.facility} in batch ${place.batch}`;
  throw new CommandFailed(`${there.toFixed()} ${what} ${where}, ${quantity.toFixed()} asked for`);
}

function positive(value: unknown): Exact {
  const quantity = decimal(value);
  if (!quantity.greaterThan(0)) throw new CommandFailed(`the quantity is ${quantity.toFixed()}: it must be above 0`);
  return quantity;
}

/** The pattern of the spec allows `5.` and `.5`. */
function decimal(value: unknown): Exact {
  return new Exact(
    String(value)
      .replace(/\.$/, '')
      .replace(/^(-?)\./, '$10.'),
  );
}
