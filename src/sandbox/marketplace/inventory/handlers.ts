import { OPERATIONS } from '../../../marketplace/operations/table.ts';
import { Exact, ZERO } from '../../exact.ts';
import { type CallQuery, entity, type Handler } from '../call.ts';
import { showTime } from '../instants.ts';
import { severalOf, wholeList } from '../list-query.ts';
import type { Market } from '../market.ts';
import { findOrderByEither, holdingOf, linesOf } from '../order-rows.ts';
import { isManaged, productsById, productsIn } from '../product-rows.ts';
import { checkViewer } from '../records/family.ts';
import type { Fields } from '../wire-values.ts';
import type { AllocationRow } from './allocations.ts';
import { COMMANDS, type CommandType, commandStatus, queueCommand } from './commands.ts';
import { heldOf } from './holdings.ts';
import { availableAt, type Figures, figuresOf, measuredRows } from './stock.ts';

const BY = 'inventory.measurements-by-';
/** The keys of a grouping, as in the operation table: `product-facility`. */
const GROUPINGS = Object.keys(OPERATIONS).flatMap((id) => (id.startsWith(BY) ? [id.slice(BY.length)] : []));

const OWN: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(
    (Object.keys(COMMANDS) as CommandType[]).map((type): [string, Handler] => [
      type,
      (market, { body }) => entity(queueCommand(market, type, body)),
    ]),
  ),
  ...Object.fromEntries(
    GROUPINGS.map((grouping): [string, Handler] => {
      const keys = grouping.split('-').map((part) => `${part}_id` as Key);
      return [`measurements-by-${grouping}`, (market, { query }) => wholeList(measurements(market, keys, query), null)];
    }),
  ),
  'command-status': (market, { params }) => entity(commandStatus(market, params['id'] as number)),
  'buyer-allocations': searched('buyer_id', (market, id: number) => allocationsFor(market, 'buyer', id)),
  'group-allocations': searched('group_id', (market, id: number) => allocationsFor(market, 'customer_group', id)),
  'order-reservations': searched('order_id', reservationsOf),
};

/** Spec 2, Multi-facility inventory. */
export const inventoryHandlers: Readonly<Record<string, Handler>> = Object.fromEntries(
  Object.entries(OWN).map(([operation, handler]): [string, Handler] => [
    `inventory.${operation}`,
    (market, call) => {
      checkViewer(market, call.query['company_id']);
      return handler(market, call);
    },
  ]),
);

/** A holder's list, searched by SKU and product name, and sorted. */
function searched<Id extends string | number>(holder: string, rowsOf: (market: Market, id: Id) => Fields[]): Handler {
  return (market, { params, query: { search }, window }) => {
    const rows = rowsOf(market, params[holder] as Id);
    if (typeof search !== 'string') return wholeList(rows, window.ordering);
    const idOf = (row: Fields) => row['product_id'] as number;
    const products = productsById(market, rows.map(idOf));
    const found = rows.filter((row) => {
      const product = products.get(idOf(row));
      return `${product?.sku} ${product?.name}`.toLowerCase().includes(search.toLowerCase());
    });
    return wholeList(found, window.ordering);
  };
}

/** Spec 2, Allocations for a buyer, or for a customer group. */
function allocationsFor(market: Market, whom: 'buyer' | 'customer_group', id: number): Fields[] {
  const settings = market.settings();
  const rows = market.sql.all<AllocationRow>(`SELECT * FROM allocations WHERE ${whom} = ? ORDER BY id`, id);
  return rows.map((row) => ({
    product_id: row.product,
    facility_id: row.facility,
    batch_id: row.batch,
    quantity: quantityText(new Exact(row.quantity)),
    group_ids: row.customer_group === null ? [] : [row.customer_group],
    buyer_ids: row.buyer === null ? [] : [row.buyer],
    created_at: showTime(row.created_at, settings),
  }));
}

/** Spec 2, Reservations for an order, by facility and batch. @throws Refusal 404 */
function reservationsOf(market: Market, key: string | number): Fields[] {
  const order = findOrderByEither(market, key);
  const settings = market.settings();
  const lines = linesOf(order);
  const products = productsIn(market, lines);
  return lines
    .filter((line) => {
      const product = products.get(line.product);
      return product !== undefined && isManaged(product);
    })
    .flatMap((line) =>
      heldOf(market, line.id, holdingOf(line)).map(({ facility, batch, quantity, fulfilled, created_at }) => ({
        product_id: line.product,
        facility_id: facility,
        batch_id: batch,
        quantity: quantityText(quantity),
        // Orders cannot take allocated units.
        allocated_quantity: quantityText(ZERO),
        fulfilled_quantity: quantityText(fulfilled),
        order_id: order.id,
        created_at: showTime(created_at ?? order.created_on, settings),
      })),
    );
}

const KEYS = { product_id: 'product', facility_id: 'facility', batch_id: 'batch' } as const;
type Key = keyof typeof KEYS;

/** Sums of the rows with equal keys. */
interface Group {
  readonly keys: Fields;
  readonly figures: Figures;
  readonly updatedAt: number;
}

/** Spec 2, Measurements by product, facility and batch: sums over the missing keys. */
function measurements(market: Market, keys: readonly Key[], query: CallQuery): Fields[] {
  const wanted = (key: Key) => (query[key] === undefined ? null : severalOf(query[key]).map(Number));
  const groups = new Map<string, Group>();
  for (const row of measuredRows(market, wanted('product_id'))) {
    if (keys.some((key) => wanted(key)?.includes(row[KEYS[key]]) === false)) continue;
    const name = keys.map((key) => row[KEYS[key]]).join('/');
    const before = groups.get(name);
    groups.set(name, {
      keys: Object.fromEntries(keys.map((key) => [key, row[KEYS[key]]])),
      figures: figuresOf((figure) => row[figure].plus(before?.figures[figure] ?? ZERO)),
      updatedAt: Math.max(before?.updatedAt ?? 0, row.updatedAt),
    });
  }
  const settings = market.settings();
  return [...groups.values()].map(({ keys: grouped, figures, updatedAt }) => ({
    ...grouped,
    on_hand_quantity: quantityText(figures.on_hand),
    available_quantity: quantityText(availableAt(figures)),
    reserved_quantity: quantityText(figures.reserved),
    allocated_quantity: quantityText(figures.allocated),
    held_quantity: quantityText(figures.held),
    archived_quantity: quantityText(figures.archived),
    updated_at: showTime(updatedAt, settings),
  }));
}

/** Two decimals, as in commands, or as many as the line has. */
function quantityText(quantity: Exact): string {
  return quantity.toFixed(Math.max(2, quantity.decimalPlaces()));
}
