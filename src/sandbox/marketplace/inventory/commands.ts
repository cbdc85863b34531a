import { Exact } from '../../exact.ts';
import { type Micros, showTime } from '../instants.ts';
import type { Market } from '../market.ts';
import { findOrderById, holdingOf, type Line, linesOf } from '../order-rows.ts';
import { isManaged, type ProductRow } from '../product-rows.ts';
import { type Fields, Refusal, refuse } from '../wire-values.ts';
import { fulfill, heldOf, type Placed, release, saveHeld, totalFulfilled, totalHeld, unfulfill } from './holdings.ts';
import { availableAt, changeAt, type Figure, itemAt, type Place, type Stock, saveStock, stockOf } from './stock.ts';

/** Why an accepted command failed without any effect. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

type Command = (market: Market, body: Fields) => void;

const unfulfilled = (placed: Placed) => totalHeld(placed).minus(totalFulfilled(placed));

/** Spec 2, Inventory commands. One that throws CommandFailed has no effect. */
export const COMMANDS = {
  putaway: itemCommand('nothing', (quantity) => ({ on_hand: quantity })),
  destroy: itemCommand('available', (quantity) => ({ on_hand: quantity.negated() })),
  hold: itemCommand('available', (quantity) => ({ held: quantity })),
  unhold: itemCommand('held', (quantity) => ({ held: quantity.negated() })),
  archive: itemCommand('available', (quantity) => ({ on_hand: quantity.negated(), archived: quantity })),
  unarchive: itemCommand('archived', (quantity) => ({ on_hand: quantity, archived: quantity.negated() })),
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

/** A command on one place: the units that it takes, and its effect. */
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

/** Sets the counted units on hand, even below the reservations. */
function reconcile(market: Market, body: Fields): void {
  const row = product(market, body['product_id']);
  const place = placeIn(market, body);
  const stock = stockOf(market, row);
  const wanted = decimal(body['to_quantity']);
  if (wanted.isNegative())
    throw new CommandFailed(`to_quantity is ${wanted.toFixed()}: what is on hand is not below 0`);
  const change = wanted.minus(itemAt(stock, place).on_hand);
  saveStock(market, row, changeAt(stock, place, { on_hand: change }), 'command', 'api');
}

function transfer(market: Market, body: Fields): void {
  const [from, to] = [product(market, body['from_product_id']), product(market, body['to_product_id'])];
  const [source, target] = [placeIn(market, body, 'from_'), placeIn(market, body, 'to_')];
  const quantity = positive(body['quantity']);
  const stock = stockOf(market, from);
  demand(stock, source, 'available', quantity);
  saveStock(market, from, changeAt(stock, source, { on_hand: quantity.negated() }), 'command', 'api');
  // Read after the first write, since it may be the same product.
  const row = product(market, to.id);
  saveStock(market, row, changeAt(stockOf(market, row), target, { on_hand: quantity }), 'command', 'api');
}

/** A command on the units of an order line: the most units, their kind, and the effect. */
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

/** Releases a line's reserved units for good: later writes do not reserve them again. */
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

/** The spec's pattern allows `5.` and `.5`. */
function decimal(value: unknown): Exact {
  return new Exact(
    String(value)
      .replace(/\.$/, '')
      .replace(/^(-?)\./, '$10.'),
  );
}

interface CommandRow {
  readonly id: number;
  readonly task: string;
  readonly type: CommandType;
  /** JSON object. */
  readonly body: string;
  /** Pending, or the word for success or failure. */
  readonly status: string;
  /** JSON object. */
  readonly metadata: string;
  /** null: never. */
  readonly due: Micros | null;
  /** Why a fault lets it fail. */
  readonly doom: string | null;
  readonly settled_at: Micros | null;
}

const SETTLE = 'UPDATE inventory_commands SET status = ?, metadata = ?, settled_at = ? WHERE id = ?';
const DUE = `SELECT * FROM inventory_commands WHERE status = 'Pending' AND due <= ? ORDER BY due, id LIMIT 1000`;

/** Queues a command (spec 2: 202 with command_id and task_id). Without a delay it is applied at the next call. */
export function queueCommand(market: Market, type: CommandType, body: Fields): { command_id: number; task_id: string } {
  const occasion = { operation: `inventory.${type}` };
  const stuck = market.faults.strike(['command-pending'], occasion);
  const doom = market.faults.strike(['command-failed'], occasion);
  const delayMs = stuck === null ? market.settings().commandDelayMs : stuck.ms;
  const due = delayMs === undefined ? null : market.now() + delayMs * 1000;
  const task = market.uuid();
  const command = { task, type, body: JSON.stringify(body), status: 'Pending', metadata: '{}', due };
  const id = market.sql.insert('inventory_commands', { ...command, doom: doom?.reason ?? null });
  return { command_id: id, task_id: task };
}

/** Applies due commands, oldest first. */
export function settleCommands(market: Market): void {
  for (;;) {
    const due = market.sql.all<CommandRow>(DUE, market.now());
    for (const row of due) settle(market, row);
    if (due.length === 0) return;
  }
}

function settle(market: Market, row: CommandRow): void {
  const reason = row.doom ?? carryOut(market, row);
  const { done, failed } = market.settings().commandWords;
  const [status, metadata] = reason === null ? [done, {}] : [failed, { error: reason }];
  market.sql.run(SETTLE, status, JSON.stringify(metadata), market.now(), row.id);
}

/** null: it succeeded. */
function carryOut(market: Market, { type, body }: CommandRow): string | null {
  try {
    COMMANDS[type](market, JSON.parse(body) as Fields);
    return null;
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
}

/** Spec 2, Command status. @throws Refusal 404 */
export function commandStatus(market: Market, id: number): Fields {
  const row = market.sql.get<CommandRow>('SELECT * FROM inventory_commands WHERE id = ?', id);
  if (!row) throw refuse(404, 'Not found.');
  const settings = market.settings();
  return {
    command_id: row.id,
    task_id: row.task,
    result_status: row.status,
    result_metadata: JSON.parse(row.metadata) as unknown,
    result_on: row.settled_at === null ? null : showTime(row.settled_at, settings),
    command_type: row.type,
  };
}
